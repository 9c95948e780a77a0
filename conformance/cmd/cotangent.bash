# bash completion for cotangent(1)
_cotangent() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=
    case $prev in
    explain | run | forward | gradcheck | judge | sweep | --op)
        words=$(cotangent ops 2> /dev/null | awk 'NR > 1 { print $2 }')
        ;;
    --dtype) words="f16 bf16 f32 f64" ;;
    --family) words="reduce scan binary binary_param softmax" ;;
    --layout) words="contig transposed sliced offset broadcast" ;;
    --clause) words=$(cotangent spec 2> /dev/null | sed -n 's/^\([A-Z][A-Z0-9-]*\) (.*/\1/p') ;;
    --against) words="truth $(cotangent version 2> /dev/null | sed -n 's/^backends: //p')" ;;
    --device) words="real soft 0" ;;
    --level) words="E B D I X edges bound stable invariant bits" ;;
    --format) words="text tap json junit" ;;
    --backend | serve)
        words="$(cotangent version 2> /dev/null | sed -n 's/^backends: //p') wasm wasm-nosimd numpy torch jax process:"
        ;;
    spec) words=$(cotangent spec 2> /dev/null | sed -n 's/^\([A-Z][A-Z0-9-]*\) (.*/\1/p') ;;
    --convention) words="spec torch jax accurate" ;;
    --cases | --waivers | --emit | --known | replay | merge | report | submit | verify | -o) return ;;
    --dir | --out | --dy | --x | --y | --a | --b | --dx | --da | --db) return ;; # -o default: names of files
    --case | --generator) return ;;
    --extent | --shard | --jobs | --timeout | --repeat | --shape | --axis | --correction | --param | --policy) return ;;
    --seed | --eps | --blocks | --range | --sample) return ;;
    *)
        if [ "$COMP_CWORD" = 1 ]; then
            words=$(cotangent help 2> /dev/null | awk '/^  [a-z]/ { print $1 }')
        else
            words=$(cotangent "${COMP_WORDS[1]}" --help 2> /dev/null | awk '/^  --/ { print $1 }')
        fi
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _cotangent cotangent
