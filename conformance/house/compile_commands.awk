# make's dry run as compile_commands.json, for editors: every line that compiles a file, without libtool.
# usage: make -n V=1 ... | awk -v directory=BUILD -v srcdir=SOURCE -f compile_commands.awk
function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}

/ -c -o / {
    command = $0
    sub(/^.*--mode=compile /, "", command)
    sub(/ *&&\\$/, "", command)
    sub(/ -MT .* -c -o/, " -c -o", command)
    sub(/`test -f [^`]*`/, srcdir "/", command) # automake asks where the file is
    file = command
    sub(/.* /, "", file)
    if (!(command in seen))
        printf "%s{ \"directory\": %s, \"file\": %s, \"command\": %s }", count++ ? ",\n" : "[\n", quoted(directory),
            quoted(file), quoted(command)
    seen[command] = 1
}

END { print count ? "\n]" : "[]" }
