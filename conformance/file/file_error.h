/* What is wrong with a file, as a value: whoever asked for the file says it, and decides what follows. */
#ifndef COT_FILE_ERROR_H
#define COT_FILE_ERROR_H

typedef enum file_status {
    FILE_GOOD,
    FILE_WRONG, /* what was given cannot be used */
    FILE_FAILED /* it could be, and the machine did not do it */
} file_status;

enum { FILE_TEXT_SIZE = 2048 };

typedef struct file_error {
    file_status status;
    char text[FILE_TEXT_SIZE]; /* one line, which names the file; "" where nothing is wrong */
} file_error;

__attribute__((format(printf, 2, 3))) file_error file_wrong(file_status status, const char *format, ...);
file_error file_good(void);

#endif
