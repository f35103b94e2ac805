/// The scripts that teach a shell to complete `alcove`.
///
/// They ask the program itself (`alcove complete`), so that they know documents and sessions too and never grow old.
enum ShellCompletions: String, CaseIterable {
  case bash, zsh, fish

  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  /// Place for the script.
  var instructions: String {
    switch self {
    case .bash: "alcove completions bash > ~/.local/share/bash-completion/completions/alcove"
    case .zsh: "alcove completions zsh > ~/.zfunc/_alcove   (a folder in $fpath)"
    case .fish: "alcove completions fish > ~/.config/fish/completions/alcove.fish"
    }
  }

  private static let bashScript = """
    # bash completion for alcove
    _alcove() {
      local current=${COMP_WORDS[COMP_CWORD]} line
      COMPREPLY=()
      while IFS= read -r line; do
        if [[ $line == :files ]]; then
          compopt -o filenames 2>/dev/null
          while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
        else
          line=${line%%$'\\t'*}
          printf -v line %q "$line"
          COMPREPLY+=("$line")
        fi
      done < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    }
    complete -F _alcove alcove

    """

  private static let zshScript = """
    #compdef alcove
    # zsh completion for alcove
    _alcove() {
      local line name
      local -a candidates
      for line in "${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        if [[ $line == :files ]]; then
          _files
        elif [[ -n $line ]]; then
          name=${line%%$'\\t'*}
          candidates+=("${name//:/\\\\:}:${line#*$'\\t'}")
        fi
      done
      (( $#candidates )) && _describe alcove candidates
    }
    if [[ ${funcstack[1]} == _alcove ]]; then
      _alcove "$@"
    else
      compdef _alcove alcove
    fi

    """

  private static let fishScript = """
    # fish completion for alcove
    function __alcove_complete
        set -l words (commandline -opc)
        set -l current (commandline -ct)
        for line in (alcove complete -- $words[2..-1] "$current" 2>/dev/null)
            if test "$line" = :files
                __fish_complete_path "$current"
            else
                printf '%s\\n' $line
            end
        end
    end
    complete -c alcove -f -a '(__alcove_complete)'

    """
}
