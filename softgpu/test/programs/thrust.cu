// Algorithms of Thrust and CUB: reduce, scan, sort, copy_if, unique, reduce_by_key.
#include "check.h"
#include <cub/cub.cuh>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>
#include <vector>

struct IsOdd {
    __host__ __device__ bool operator()(int x) const { return x & 1; }
};

int main()
{
    const int n = 3000;
    std::vector<int> h(n);
    for (int i = 0; i < n; i++)
        h[i] = (i * 7919) % 1009;
    thrust::device_vector<int> d(h.begin(), h.end()), s(n), odd(n);
    long long sum = 0;
    int odds = 0;
    for (int x : h)
        sum += x, odds += x & 1;
    EXPECT(thrust::reduce(d.begin(), d.end(), 0LL) == sum);
    thrust::inclusive_scan(d.begin(), d.end(), s.begin());
    EXPECT(s[n - 1] == sum && s[1] == h[0] + h[1]);
    auto end = thrust::copy_if(d.begin(), d.end(), odd.begin(), IsOdd());
    EXPECT(end - odd.begin() == odds);

    size_t bytes = 0;
    thrust::device_vector<int> most(1);
    int *in = thrust::raw_pointer_cast(d.data()), *out = thrust::raw_pointer_cast(most.data());
    CALL(cub::DeviceReduce::Max(nullptr, bytes, in, out, n));
    thrust::device_vector<char> scratch(bytes);
    CALL(cub::DeviceReduce::Max(thrust::raw_pointer_cast(scratch.data()), bytes, in, out, n));
    EXPECT(most[0] == 1008);

    thrust::sort(d.begin(), d.end());
    thrust::host_vector<int> sorted = d;
    for (int i = 1; i < n; i++)
        EXPECT(sorted[i - 1] <= sorted[i]);
    thrust::device_vector<int> keys(n), counts(n);
    auto ends =
        thrust::reduce_by_key(d.begin(), d.end(), thrust::make_constant_iterator(1), keys.begin(), counts.begin());
    EXPECT(ends.first - keys.begin() == 1009);
    EXPECT(thrust::reduce(counts.begin(), ends.second) == n);
    EXPECT(thrust::unique(d.begin(), d.end()) - d.begin() == 1009);
    return 0;
}
