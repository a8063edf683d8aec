# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completes the words of ompd-opencl in fish.  Verbs, options and names come from the
# command's help, so that there is only one list of them.

# Print the entries of a section of the help, NAME and MEANING, one per line.
function __ompd_opencl_entries --argument-names help part
    printf '%s\n' $help | awk -v part="^$part" '
        function finish() { if (name != "") print name "\t" meaning; name = "" }
        $0 ~ part { inside = 1; next }
        inside && /^$/ { exit }
        inside && /^  [^ ]/ {
            finish()
            name = $1
            sub(/\[=.*/, "", name)
            meaning = substr($0, 3)
            sub(/^.*[^ ]  +/, "", meaning)
        }
        inside && /^   / { sub(/^ +/, ""); meaning = meaning " " $0 }
        END { finish() }'
end

# Print the values of an option according to the help, one per line.
function __ompd_opencl_names --argument-names help option
    printf '%s\n' $help | sed -n "/^Names for .*$option\b.*:/,/^\$/{
        s/^Names for [^:]*://
        s/^  \([a-z-][a-z-]*\)  .*/\1/
        s/^     .*//
        s/,//g
        p
    }" | string split --no-empty ' '
end

# Print the argument of an option according to the help; nothing if it has none.
function __ompd_opencl_argument --argument-names help option
    printf '%s\n' $help | sed -n "s/^  $option \([A-Z][^ ]*\) .*/\1/p"
end

function __ompd_opencl_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l command $words[1]
    set -l previous $words[-1]
    set -l help ($command --help 2>/dev/null | string collect)
    test -n "$help" || return
    set -l verbs (__ompd_opencl_entries $help Verbs)
    set -l verb
    set -l is_argument no
    for each in $words[2..]
        if test $is_argument = yes
            set is_argument no
        else if string match -q -- '--*' $each
            test -z (__ompd_opencl_argument $help $each | string collect) || set is_argument yes
        else if contains -- $each (string split -f 1 \t -- $verbs)
            set verb $each
            break
        end
    end
    set -l argument
    if string match -q -- '--*' $previous
        set argument (__ompd_opencl_argument $help $previous)
    end
    set help ($command $verb --help 2>/dev/null | string collect)
    switch $previous
        case --kind --state --columns --sort --group
            # Keep what precedes the last comma, and the sign of a sort order.
            set -l before (string replace -r '[^,]*$' '' -- $word)
            if test $previous = --sort && string match -q -r '(^|,)-[^,]*$' -- $word
                set before $before-
            end
            printf "$before%s\n" (__ompd_opencl_names $help $previous)
        case --pid
            string replace /proc/ '' -- /proc/*/ | string trim -r -c / | string match -r '^[0-9]+$'
        case '*'
            if test -n "$argument"
                string match -q -r '^(FILE|DIR)$' -- $argument && __fish_complete_path $word
            else if string match -q -- '-*' $word
                __ompd_opencl_entries $help Options:
            else if test -z "$verb"
                printf '%s\n' $verbs
            else
                __fish_complete_path $word
            end
    end
end

complete -c ompd-opencl -f -a '(__ompd_opencl_complete)'
