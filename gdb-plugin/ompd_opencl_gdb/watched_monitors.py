# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Embree's memory monitors for catchpoints: where Embree calls them, and what they return.

The functions are learned when the program registers them.  Earlier registrations are read from the
devices.
"""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Set, Tuple

import gdb

from ompd_opencl.errors import OpenCLError

from . import machine
from .api_functions import Function
from .callback_bodies import CallbackBodies
from .catch_options import Thing
from .catchpoints import Catchpoints
from .hidden_breakpoints import (
    AtAddress,
    AtFunction,
    Thread,
    quietly,
    remove_disabled,
    selected_thread,
    set_enabled,
)
from .monitor_conditions import ALLOCATION, CANCEL, FREE, MONITOR, MonitorConditions
from .values import Values

_REGISTER = Function("rtcSetDeviceMemoryMonitorFunction", "www")  # device, function, user pointer
_PARAMETERS = "wwi"  # of a monitor: user pointer, bytes, post
_BOOL = 0xFF  # the bits of a bool
_MOST_NAMED = 4  # devices in a report


class _Monitor(NamedTuple):
    """The monitor of a device."""

    function: int
    user_data: int


class _Call(NamedTuple):
    """A running call, which may cancel an allocation."""

    place: machine.Return
    devices: Tuple[int, ...]  # that it may be for
    bytes: int


class WatchedMonitors:
    """The monitors of all inferiors."""

    def __init__(self, values: Values, catchpoints: Catchpoints) -> None:
        self._values = values
        self._catchpoints = catchpoints
        self._is_watching = False
        self._registering: Dict[str, gdb.Breakpoint] = {}
        self._functions: Dict[Tuple[int, int], gdb.Breakpoint] = {}  # by inferior and address
        self._returns: Dict[Tuple[int, int], gdb.Breakpoint] = {}
        self._monitors: Dict[Tuple[int, int], _Monitor] = {}  # by inferior and device
        self._modules: Dict[int, List[Optional[str]]] = {}  # Embree's, by inferior
        self._learned: Set[int] = set()  # inferiors whose earlier registrations are known
        self._calls: Dict[Thread, List[_Call]] = {}
        self._bodies = CallbackBodies()

    def watch(self, is_wanted: bool) -> None:
        """Watch monitors, or stop watching them."""
        self._is_watching = is_wanted
        name = _REGISTER.name
        if is_wanted and name not in self._registering:
            self._registering[name] = quietly(lambda: AtFunction(_REGISTER, self._registered))
        for place in (*self._registering.values(), *self._functions.values()):
            set_enabled(place, is_wanted)
        if not is_wanted:
            self._learned.clear()
            self._calls.clear()
            self._bodies.forget()
            for place in self._returns.values():
                set_enabled(place, False)

    def forget(self, inferior: int) -> None:
        """Forget a program that ended or was replaced."""
        self._bodies.forget()
        self._learned.discard(inferior)
        self._modules.pop(inferior, None)
        for thread in [thread for thread in self._calls if thread[0] == inferior]:
            del self._calls[thread]
        for device in [device for device in self._monitors if device[0] == inferior]:
            del self._monitors[device]
        for key, place in (*self._functions.items(), *self._returns.items()):
            if key[0] == inferior:
                set_enabled(place, False)

    def remove(self) -> None:
        """Delete unneeded breakpoints."""
        remove_disabled(self._registering)
        remove_disabled(self._functions)
        remove_disabled(self._returns)
        self._bodies.remove()

    def learn(self) -> str:
        """Learn the monitors that the selected inferior had before it was watched.  Returns why
        some are unknown, or "" if none is known to be."""
        inferior = gdb.selected_inferior()
        if not self._is_watching or not inferior.pid or inferior.num in self._learned:
            return ""
        if _modules_of_functions():
            self._learned.add(inferior.num)  # from now on, each change of a monitor is seen
        try:
            rows = self._values.session().embree_devices()
            for row in rows:
                self._learn(row.number("handle"), row.number("monitor"), row.number("monitor_data"))
        except (OpenCLError, gdb.error) as error:
            return str(error) if _modules_of_functions() else ""
        return "" if rows.is_complete else " ".join(rows.notes)

    def _learn(self, device: Optional[int], function: Optional[int], data: Optional[int]) -> None:
        if device and function:
            # A device begins with the address of a table in Embree's module.
            [table] = machine.read_words(gdb.newest_frame(), device, 1) or (0,)
            self._add_module(gdb.current_progspace().solib_name(table))
            self.add(device, function, data or 0)

    def _add_module(self, module: Optional[str]) -> None:
        modules = self._modules.setdefault(gdb.selected_inferior().num, [])
        if module not in modules:
            modules.append(module)

    def _registered(self, function: Function) -> None:
        """The program sets the monitor of a device."""
        frame = gdb.newest_frame()
        device, address, user_data = (
            machine.argument(frame, function.parameters, index) or 0 for index in range(3)
        )
        self._add_module(gdb.current_progspace().solib_name(frame.pc()))
        self.add(device, address, user_data)

    def add(self, device: int, address: int, user_data: int) -> None:
        """Watch the monitor of DEVICE in the selected inferior; an ADDRESS of 0: it has none."""
        inferior = gdb.selected_inferior().num
        if not address:
            self._monitors.pop((inferior, device), None)
            return
        self._monitors[inferior, device] = _Monitor(address, user_data)
        place = self._functions.get((inferior, address))
        if place is None:
            place = quietly(lambda: AtAddress(address, self._begins))
            self._functions[inferior, address] = place
        set_enabled(place, True)

    def _begins(self, address: int, place: gdb.Breakpoint) -> bool:
        """A thread is at the first instruction of a monitor."""
        frame = gdb.newest_frame()
        back = machine.place_of_return(frame)
        if not self._is_watching or back is None or not self._is_embree(back.address):
            return False
        user_data, count, post = (
            machine.argument(frame, _PARAMETERS, index, is_first=True) or 0 for index in range(3)
        )
        count = machine.signed_word(frame, count)
        is_post = post & _BOOL != 0
        devices = self._devices(_Monitor(address, user_data))
        kind = ALLOCATION if count >= 0 else FREE
        thing = Thing(kind, "", devices, abs(count), _words(devices, count, is_post))
        _set_variables(devices, count, is_post)
        if count > 0 and not is_post:
            if self._catchpoints.decide(CANCEL, thing, place):
                if not self._cancel(frame, devices):
                    self._expect(_Call(back, devices, count))
                return True
            self._expect(_Call(back, devices, count))
        else:
            self._add(devices, count)
        if not self._catchpoints.could_stop(MONITOR, thing):
            return False

        def decision(here: gdb.Breakpoint) -> bool:
            _set_variables(devices, count, is_post)
            return self._catchpoints.decide(MONITOR, thing, here)

        return self._bodies.decide(address, place, decision)

    def _is_embree(self, pc: int) -> bool:
        """Whether PC is in Embree's module.  If a monitor does not return there, the program itself
        has called it."""
        modules = self._modules.get(gdb.selected_inferior().num, [])
        return gdb.current_progspace().solib_name(pc) in modules

    def _devices(self, monitor: _Monitor) -> Tuple[int, ...]:
        """The devices of the selected inferior that have MONITOR; empty: unknown."""
        number = gdb.selected_inferior().num
        found = [
            device
            for (inferior, device), theirs in self._monitors.items()
            if inferior == number and theirs == monitor
        ]
        if len(found) > 1:  # some may have been destroyed
            found = [device for device in found if self._is_device(device)] or found
        return tuple(found)

    def _is_device(self, device: int) -> bool:
        """Whether there may be a device at an address.  It begins with the address of a table in
        Embree's module and a count of references, which is 0 when it was destroyed."""
        words = machine.read_words(gdb.newest_frame(), device, 2)
        return len(words) == 2 and words[1] != 0 and self._is_embree(words[0])

    def _cancel(self, frame: gdb.Frame, devices: Tuple[int, ...]) -> bool:
        """Have the monitor that FRAME enters return false at once; returns whether it did."""
        try:
            is_done, why = machine.leave(frame, 0), "the registers did not change"
        except gdb.error as error:
            is_done, why = False, str(error)
        if is_done:
            for conditions in self._enabled():
                conditions.cancel(devices)
        else:
            self._catchpoints.note("Cannot cancel this allocation: %s" % why)
        return is_done

    def _expect(self, call: _Call) -> None:
        """Stop the thread when CALL returns."""
        calls = self._calls.setdefault(selected_thread(), [])
        # Calls left by exceptions never return: Embree does not allocate after them.
        calls[:] = [other for other in calls if other.place.stack > call.place.stack] + [call]
        key = (gdb.selected_inferior().num, call.place.address)
        place = self._returns.get(key)
        if place is None:
            place = quietly(lambda: AtAddress(call.place.address, self._returned))
            self._returns[key] = place
        set_enabled(place, True)

    def _returned(self, address: int, place: gdb.Breakpoint) -> bool:
        """A thread has reached a return address."""
        frame = gdb.newest_frame()
        stack = int(frame.read_register("sp"))
        calls = self._calls.get(selected_thread(), [])
        back = [call for call in calls if call.place == (address, stack)]
        calls[:] = [call for call in calls if call.place.stack > stack]
        if not any(call.place.address == address for some in self._calls.values() for call in some):
            set_enabled(place, False)
        result = machine.result(frame)
        for call in back:
            if result is not None and result & _BOOL == 0:
                for conditions in self._enabled():
                    conditions.cancel(call.devices)
            else:
                self._add(call.devices, call.bytes)
        return False

    def _add(self, devices: Tuple[int, ...], count: int) -> None:
        for conditions in self._enabled():
            conditions.add(devices, count)

    def _enabled(self) -> List[MonitorConditions]:
        """The conditions of the enabled catchpoints."""
        return [
            conditions
            for conditions, is_enabled in self._catchpoints.wanted()
            if is_enabled and isinstance(conditions, MonitorConditions)
        ]


def _modules_of_functions() -> List[Optional[str]]:
    """The modules that export Embree's function; the program itself is None."""
    try:
        places = gdb.decode_line(_REGISTER.name)[1] or ()
    except gdb.error:
        return []
    return [gdb.current_progspace().solib_name(place.pc) for place in places]


def _words(devices: Tuple[int, ...], count: int, is_post: bool) -> str:
    """A call, in words."""
    named = ["%#x" % device for device in devices[:_MOST_NAMED]]
    if len(devices) > _MOST_NAMED:
        named.append("%d more" % (len(devices) - _MOST_NAMED))
    if not devices:
        whose = "an Embree device"
    elif len(devices) == 1:
        whose = "Embree device " + named[0]
    else:
        whose = "one of the Embree devices " + ", ".join(named[:-1]) + " and " + named[-1]
    verb = "allocate" if count >= 0 else "free"
    done = ("has %sd" if is_post else "is about to %s") % verb
    post = "true" if is_post else "false"
    return "%s %s %d bytes (post=%s)" % (whose, done, abs(count), post)


def _set_variables(devices: Tuple[int, ...], count: int, is_post: bool) -> None:
    """Set the convenience variables for conditions and commands."""
    gdb.set_convenience_variable("embree_device", devices[0] if len(devices) == 1 else 0)
    gdb.set_convenience_variable("embree_bytes", count)
    gdb.set_convenience_variable("embree_post", is_post)
