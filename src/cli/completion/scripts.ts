// What a shell is to run when somebody presses Tab: `doorward complete -- WORDS…`, whose answer is one
// candidate a line, a tab before its description, or `:files`. Whatever goes wrong, nothing is said.

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * The line is taken apart here: bash itself would also do so at `=`, `:` and `@`, and replaces only what
 * follows them.
 */
const BASH = `# Completion for bash. In ~/.bashrc:  source <(doorward completion bash)
_doorward() {
  local line="\${COMP_LINE:0:COMP_POINT}" found entry rest kept='' breaks
  local -a typed
  read -ra typed <<<"$line"
  [[ $line == *[[:space:]] ]] && typed+=('')
  COMPREPLY=()
  found="$("$1" complete -- "\${typed[@]:1}" 2>/dev/null </dev/null)" || return 0
  if [[ $found == ':files' ]]; then
    compopt -o default 2>/dev/null
    return 0
  fi
  breaks="\${COMP_WORDBREAKS//[^=:@]/}"
  local word="\${typed[\${#typed[@]}-1]}"
  [[ -n $breaks ]] && kept="\${word%"\${word##*["$breaks"]}"}"
  while IFS=$'\\t' read -r entry rest; do
    [[ -n $entry ]] && COMPREPLY+=("\${entry#"$kept"}")
  done <<<"$found"
  return 0
}
complete -F _doorward doorward
`;

const ZSH = `#compdef doorward
# Completion for zsh. In ~/.zshrc, after compinit:  source <(doorward completion zsh)
_doorward() {
  local found entry tab=$'\\t'
  local -a described
  found="$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null </dev/null)" || return 1
  if [[ $found == ':files' ]]; then
    _files
    return
  fi
  for entry in "\${(@f)found}"; do
    [[ -n $entry ]] && described+=("\${\${entry%%$tab*}//:/\\\\:}:\${entry#*$tab}")
  done
  (( \${#described} )) && _describe 'doorward' described
}
compdef _doorward doorward
`;

const FISH = `# Completion for fish:  doorward completion fish > ~/.config/fish/completions/doorward.fish
function __doorward_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null </dev/null)
  if test "$found[1]" = ':files'
    __fish_complete_path "$current"
    return
  end
  printf '%s\\n' $found
end
complete -c doorward -f -a '(__doorward_complete)'
`;

export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
