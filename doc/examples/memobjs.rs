// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Print the memory objects of a core, with bindings that bindgen generates.

// The output of `bindgen`; README.md has the command.
#[allow(dead_code, non_camel_case_types, non_upper_case_globals)]
mod ompd;

use ompd::*;
use std::ffi::{CStr, CString};
use std::{mem, process, ptr};

/// Copy a message of the library, which is valid until the next call.
fn sentence(message: *const std::os::raw::c_char) -> String {
    unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()
}

/// An open core.
struct Core {
    target: *mut ompd_host_target_t,
    space: *mut ompd_address_space_handle_t,
}

impl Core {
    fn open(path: &str) -> Result<Core, String> {
        let path = CString::new(path).map_err(|error| error.to_string())?;
        let mut core = Core { target: ptr::null_mut(), space: ptr::null_mut() };
        unsafe {
            if ompd_host_core_open(path.as_ptr(), ptr::null(), &mut core.target) != ompd_host_rc_ok
            {
                return Err(sentence(ompd_host_message_get(ptr::null())));
            }
            if ompd_host_address_space_create(core.target, 0, &mut core.space) != ompd_rc_ok {
                return Err(core.message());
            }
        }
        Ok(core)
    }

    fn message(&self) -> String {
        let mut message = ptr::null();
        unsafe { ompd_cl_message_get(self.space, &mut message) };
        sentence(message)
    }

    /// Return all memory objects, and how many could not be read.
    fn memobjs(&self) -> Result<(Vec<ompd_cl_memobj_info_t>, u64), String> {
        let (mut found, mut lost) = (Vec::new(), 0);
        let mut list: ompd_cl_list_t = unsafe { mem::zeroed() };
        let kind = ompd_cl_kind_memobj;
        if unsafe { ompd_cl_list_open(self.space, kind, ptr::null(), &mut list) } != ompd_rc_ok {
            return Err(self.message());
        }
        loop {
            let mut rows: [ompd_cl_memobj_info_t; 64] = unsafe { mem::zeroed() };
            let (mut count, mut unreadable) = (0, 0);
            rows[0].head.struct_size = mem::size_of::<ompd_cl_memobj_info_t>() as ompd_size_t;
            let code = unsafe {
                let array = rows.as_mut_ptr().cast();
                ompd_cl_list_next(self.space, list, kind, 64, array, &mut count, &mut unreadable)
            };
            // An incomplete answer also has rows, with a status in each field.
            if code != ompd_rc_ok && code != ompd_rc_incomplete {
                let message = self.message();
                unsafe { ompd_cl_list_close(self.space, list) };
                return Err(message);
            }
            lost = unreadable; // of the whole list so far
            if count == 0 {
                break;
            }
            found.extend_from_slice(&rows[..count as usize]);
        }
        unsafe { ompd_cl_list_close(self.space, list) };
        Ok((found, lost))
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        unsafe {
            if !self.space.is_null() {
                ompd_rel_address_space_handle(self.space);
            }
            ompd_host_target_close(self.target);
        }
    }
}

/// Format a size: a fact, a presumed value, or unknown.
fn size_text(size: &ompd_cl_value_t) -> String {
    match size.status as ompd_cl_status_t {
        ompd::ompd_cl_status_value => format!("{} B", size.value),
        ompd::ompd_cl_status_presumed => format!("{} B, presumed", size.value),
        _ => "? B".to_string(),
    }
}

fn main() {
    let path = std::env::args().nth(1).unwrap_or_else(|| {
        eprintln!("usage: memobjs CORE");
        process::exit(2)
    });
    let (found, lost) = Core::open(&path).and_then(|core| core.memobjs()).unwrap_or_else(|why| {
        eprintln!("memobjs: {}", why);
        process::exit(3)
    });
    for row in &found {
        println!("{:#x} {}", row.head.handle.value, size_text(&row.size));
    }
    if lost > 0 {
        println!("{} more could not be read", lost);
        process::exit(4);
    }
}
