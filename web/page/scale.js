// Scales of a plot's axis: linear, and one that is logarithmic on both sides of zero.

export const linear = { key: 'linear', to: (v) => v, from: (t) => t };

const MOST_DECADES = 12, MOST_TICKS = 3; // on each side of zero

/** Zero, what is near it and what is far from it on one axis: linear up to the smallest number that there is. */
export function symlog(values) {
    const sizes = values.filter((v) => Number.isFinite(v) && v !== 0).map(Math.abs);
    if (!sizes.length) {
        return linear;
    }
    const most = Math.ceil(Math.log10(Math.max(...sizes)) - 1e-9);
    const least = Math.max(Math.floor(Math.log10(Math.min(...sizes)) + 1e-9), most - MOST_DECADES);
    const decades = Math.max(1, most - least), step = Math.ceil(decades / MOST_TICKS), unit = 10 ** least;
    const powers = Array.from({ length: Math.ceil(decades / step) }, (_, k) => Number(`1e${most - k * step}`));
    return {
        key: `symlog ${least} ${most}`,
        to: (v) => Math.sign(v) * Math.log10(1 + Math.abs(v) / unit),
        from: (t) => Math.sign(t) * unit * (10 ** Math.abs(t) - 1),
        range: (
            all,
        ) => [all.some((v) => v < 0) ? -Number(`1e${most}`) : 0, all.some((v) => v > 0) ? Number(`1e${most}`) : 0],
        ticks: () => [...powers.map((v) => -v), 0, ...powers],
    };
}
