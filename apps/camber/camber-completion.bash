# Completion of `camber` for bash. Commands and options are read from the program's own help, so they are always those of
# the camber that is installed. File names complete everywhere else.

_camber_help() { "${COMP_WORDS[0]}" "$@" --help 2>/dev/null; }

_camber() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local -a path=()
  local help word i
  # The commands so far: `camber bench symbolic` has two.
  help=$(_camber_help)
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    [[ $word == -* ]] && continue
    _camber_commands "$help" | grep -qxF -- "$word" || continue
    path+=("$word")
    help=$(_camber_help "${path[@]}")
  done

  COMPREPLY=()
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_camber_options "$help")" -- "$current")
  elif [[ $previous != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_camber_commands "$help")" -- "$current")
  fi
  [[ ${#COMPREPLY[@]} -gt 0 || $current == -* ]] || mapfile -t COMPREPLY < <(compgen -f -- "$current")
}

# Lines such as "  -o,--output TEXT   Folder of the run" start with the names of an option.
_camber_options() {
  sed -nE 's/^  ((-[a-zA-Z0-9],)?--[a-z][a-z0-9-]*|-[a-zA-Z0-9])([ =].*)?$/\1/p' <<<"$1" | tr ',' '\n'
}

# Lines between "Subcommands:" and the next heading start with the name of a command.
_camber_commands() {
  sed -nE '/^Subcommands:/,/^[^ ]*$/ s/^  ([a-z][a-z0-9-]*) .*$/\1/p' <<<"$1"
}

complete -o filenames -F _camber camber
