/* The peer: the same two kernels in OpenCL, timed under oclgrind. Prints "kernel seconds". */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char source[] =
    "kernel void softmax_backward(global const float *y, global const float *g, global float *dx, int columns)\n"
    "{\n"
    "    local float part[128];\n"
    "    int t = get_local_id(0), n = get_local_size(0);\n"
    "    long row = (long)get_group_id(0) * columns;\n"
    "    float sum = 0.0f;\n"
    "    for (int c = t; c < columns; c += n) sum += y[row + c] * g[row + c];\n"
    "    part[t] = sum;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int s = n / 2; s > 0; s >>= 1) { if (t < s) part[t] += part[t + s]; barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "    float total = part[0];\n"
    "    for (int c = t; c < columns; c += n) dx[row + c] = y[row + c] * (g[row + c] - total);\n"
    "}\n"
    "kernel void reduce(global const float *x, global float *out, int n)\n"
    "{\n"
    "    local float part[256];\n"
    "    int t = get_local_id(0), i = get_global_id(0);\n"
    "    part[t] = i < n ? x[i] : 0.0f;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int s = 128; s > 0; s >>= 1) { if (t < s) part[t] += part[t + s]; barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "    if (t == 0) out[get_group_id(0)] = part[0];\n"
    "}\n";

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(cl_int r, const char *what)
{
    if (!r)
        return;
    fprintf(stderr, "%s: OpenCL error %d\n", what, r);
    exit(1);
}

static void measure(cl_command_queue q, cl_kernel k, const char *name, size_t groups, size_t size)
{
    size_t global = groups * size;
    double start = now();
    must(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &size, 0, NULL, NULL), name);
    must(clFinish(q), name);
    printf("%s %.6f\n", name, now() - start);
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 256, columns = argc > 2 ? atoi(argv[2]) : 1024, n = rows * columns;
    const char *text = source;
    cl_platform_id p;
    cl_device_id d;
    cl_int e;
    must(clGetPlatformIDs(1, &p, NULL), "platform");
    must(clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL), "device");
    cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, &e);
    cl_command_queue q = clCreateCommandQueue(c, d, 0, &e);
    cl_program prog = clCreateProgramWithSource(c, 1, &text, NULL, &e);
    must(clBuildProgram(prog, 1, &d, "", NULL, NULL), "build");
    float *fill = malloc((size_t)n * 4);
    for (int i = 0; i < n; i++)
        fill[i] = 0.5f;
    cl_mem y = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, (size_t)n * 4, fill, &e),
           g = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, (size_t)n * 4, fill, &e);
    cl_mem dx = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, (size_t)n * 4, fill, &e);
    cl_kernel s = clCreateKernel(prog, "softmax_backward", &e), r = clCreateKernel(prog, "reduce", &e);
    clSetKernelArg(s, 0, sizeof y, &y);
    clSetKernelArg(s, 1, sizeof g, &g);
    clSetKernelArg(s, 2, sizeof dx, &dx);
    clSetKernelArg(s, 3, sizeof columns, &columns);
    clSetKernelArg(r, 0, sizeof y, &y);
    clSetKernelArg(r, 1, sizeof dx, &dx);
    clSetKernelArg(r, 2, sizeof n, &n);
    measure(q, s, "softmax_backward", (size_t)rows, 128);
    measure(q, r, "reduce", (size_t)(n + 255) / 256, 256);
    free(fill);
    return 0;
}
