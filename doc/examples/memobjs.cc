/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Print the memory objects of a core, with the library and the host library from C++17. Destructors
 * close what was opened.  Failures are exceptions, which never pass through the library.
 */
#include <ompd-opencl-host.h>

#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

/* An open core and its address space, which is released before the core is closed. */
class Core
{
  public:
    explicit Core(const char *path)
    {
        ompd_host_target_t *opened;

        if (ompd_host_core_open(path, nullptr, &opened) != ompd_host_rc_ok)
            throw std::runtime_error(ompd_host_message_get(nullptr));
        target.reset(opened);

        ompd_address_space_handle_t *created;

        if (ompd_host_address_space_create(target.get(), 0, &created) != ompd_rc_ok)
            throw std::runtime_error(message(nullptr));
        space.reset(created);
    }

    ompd_address_space_handle_t *get() const
    {
        return space.get();
    }

    /* Return why the last call on the address space failed. */
    static std::string message(ompd_address_space_handle_t *space)
    {
        const char *text = "";

        ompd_cl_message_get(space, &text);
        return text;
    }

  private:
    struct Close {
        void operator()(ompd_host_target_t *target) const
        {
            ompd_host_target_close(target);
        }
        void operator()(ompd_address_space_handle_t *space) const
        {
            ompd_rel_address_space_handle(space);
        }
    };

    std::unique_ptr<ompd_host_target_t, Close> target;
    std::unique_ptr<ompd_address_space_handle_t, Close> space;
};

/* A list of memory objects, read in batches. */
class Memobjs
{
  public:
    explicit Memobjs(const Core &core) : core(core)
    {
        if (ompd_cl_memobj_list_open(core.get(), nullptr, &list) != ompd_rc_ok)
            throw std::runtime_error(Core::message(core.get()));
    }
    Memobjs(const Memobjs &) = delete;
    Memobjs &operator=(const Memobjs &) = delete;
    ~Memobjs()
    {
        ompd_cl_list_close(core.get(), list);
    }

    /* Return the next rows; none at the end of the list. */
    std::vector<ompd_cl_memobj_info_t> next()
    {
        std::vector<ompd_cl_memobj_info_t> rows(64);
        ompd_size_t count = 0;
        ompd_size_t unreadable = 0;

        rows[0].head.struct_size = sizeof(rows[0]);
        ompd_rc_t code = ompd_cl_memobj_list_next(core.get(), list, rows.size(), rows.data(),
                                                  &count, &unreadable);
        /* An incomplete answer also has rows, with a status in each field. */
        if (code != ompd_rc_ok && code != ompd_rc_incomplete)
            throw std::runtime_error(Core::message(core.get()));
        lost = unreadable; /* of the whole list so far */
        rows.resize(count);
        return rows;
    }

    ompd_size_t lost = 0; /* rows that could not be read */

  private:
    const Core &core;
    ompd_cl_list_t list;
};

/* Format a size: a fact, a presumed value, or unknown. */
std::string size_text(const ompd_cl_value_t &size)
{
    std::ostringstream text;

    if (size.status == ompd_cl_status_value)
        text << size.value << " B";
    else if (size.status == ompd_cl_status_presumed)
        text << size.value << " B, presumed";
    else
        text << "? B";
    return text.str();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::cerr << "usage: memobjs CORE\n";
        return 2;
    }
    try {
        Core core(argv[1]);
        Memobjs memobjs(core);

        for (auto rows = memobjs.next(); !rows.empty(); rows = memobjs.next())
            for (const auto &row : rows)
                std::cout << std::hex << "0x" << row.head.handle.value << " " << size_text(row.size)
                          << "\n";
        if (memobjs.lost > 0)
            std::cout << std::dec << memobjs.lost << " more could not be read\n";
        return memobjs.lost > 0 ? 4 : 0;
    } catch (const std::exception &error) {
        std::cerr << "memobjs: " << error.what() << "\n";
        return 3;
    }
}
