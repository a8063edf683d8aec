/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See model.h. */
#include <view/model/model.h>

#include <string.h>

/* The bindings that the view knows. */
static const char known[] =
    /* C++: Khronos' bindings, and template libraries. */
    "CL/cl.hpp:CL/cl2.hpp:CL/opencl.hpp:OpenCL/cl.hpp:OpenCL/cl2.hpp:OpenCL/opencl.hpp:"
    "boost/compute/*:viennacl/*:vexcl/*:"
    /* C++'s standard library calls code that creates or releases objects. */
    "include/c++/*:libstdc++.so*:libc++.so*:"
    /* Python: neither the interpreter nor the module is the program's code. */
    "pyopencl/_cl*.so:python3*:libpython3*:"
    /* Rust: downloaded crates, or crates in the program's tree. */
    "registry/src/*/ocl-*:registry/src/*/opencl*:registry/src/*/cl3-*:registry/src/*/cl-sys-*:"
    "vendor/ocl*/src/*:vendor/opencl*/src/*:vendor/cl3*/src/*:rustc/*/library/*:"
    /* Java. */
    "libJOCL*.so:libjocl*.so:liblwjgl*.so:libjvm.so:libjli.so:"
    /* Code that starts programs and threads. */
    "libc.so.*";

/* Whether PATTERN, of LENGTH bytes, matches PATH or the part after any "/" in it. A pattern
 * without "/" matches only the file name. */
static bool pattern_covers(const char *pattern, size_t length, const char *path)
{
    if (memchr(pattern, '/', length) == NULL)
        path = text_file_name(path);
    for (const char *part = path; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (text_pattern_fits(pattern, length, part, strlen(part)))
            return true;
    }
    return false;
}

/* Whether one of PATTERNS matches FILE or MODULE. */
static bool patterns_cover(const char *patterns, const char *file, const char *module)
{
    while (*patterns != '\0') {
        size_t length = strcspn(patterns, ":");

        if (length != 0 && ((file != NULL && pattern_covers(patterns, length, file)) ||
                            (module != NULL && pattern_covers(patterns, length, module))))
            return true;
        patterns += length + (patterns[length] == ':');
    }
    return false;
}

void view_bindings_take(ompd_view_t *view)
{
    const ompd_view_front_end_t *front_end = &view->front_end;
    const char *given = NULL;

    if (front_end->bindings != NULL)
        given = front_end->bindings(front_end->user_ptr);
    if (given == NULL)
        given = "";
    if (strcmp(given, text_get(&view->bindings)) == 0)
        return;
    text_clear(&view->bindings);
    text_put(&view->bindings, given);
    for (struct view_name_cache *space = view->spaces; space != NULL; space = space->next)
        view_name_cache_forget(view, space->space, false);
}

PUBLIC bool ompd_view_code_is_binding(ompd_view_t *view, const char *file, const char *module)
{
    return view != NULL && (patterns_cover(known, file, module) ||
                            patterns_cover(text_get(&view->bindings), file, module));
}
