// Discrete Fourier transform of any length: radix 2, and by Bluestein's chirps where the length is no power of two.
// Cooley & Tukey 1965; Bluestein 1970.

/** X_k = Σ x_n exp(−2πi kn/N), in place. */
export function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  if (im.length !== n) throw new RangeError("real and imaginary part differ in length");
  if (n < 2) return;
  if ((n & (n - 1)) === 0) powerOfTwo(re, im);
  else chirps(re, im);
}

function powerOfTwo(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  const half = n >> 1;
  const cos = new Float64Array(half);
  const sin = new Float64Array(half);
  for (let i = 0; i < half; i++) {
    cos[i] = Math.cos((2 * Math.PI * i) / n);
    sin[i] = Math.sin((2 * Math.PI * i) / n);
  }
  for (let size = 2; size <= n; size *= 2) {
    const middle = size >> 1;
    const stride = n / size;
    for (let start = 0; start < n; start += size) {
      for (let k = 0; k < middle; k++) {
        const a = start + k;
        const b = a + middle;
        const c = cos[k * stride];
        const s = sin[k * stride];
        const x = re[b] * c + im[b] * s;
        const y = im[b] * c - re[b] * s;
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] = re[a] + x;
        im[a] = im[a] + y;
      }
    }
  }
}

/** kn = (k² + n² − (k−n)²)/2 makes the transform a convolution with a chirp, which powers of two can do. */
function chirps(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  let m = 1;
  while (m < 2 * n - 1) m *= 2;
  const cos = new Float64Array(n);
  const sin = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const angle = (Math.PI * ((i * i) % (2 * n))) / n; // i² modulo 2N: the angle stays exact for long signals
    cos[i] = Math.cos(angle);
    sin[i] = Math.sin(angle);
  }
  const are = new Float64Array(m);
  const aim = new Float64Array(m);
  const bre = new Float64Array(m);
  const bim = new Float64Array(m);
  for (let i = 0; i < n; i++) {
    are[i] = re[i] * cos[i] + im[i] * sin[i];
    aim[i] = im[i] * cos[i] - re[i] * sin[i];
    bre[i] = cos[i];
    bim[i] = sin[i];
    if (i > 0) {
      bre[m - i] = cos[i];
      bim[m - i] = sin[i];
    }
  }
  powerOfTwo(are, aim);
  powerOfTwo(bre, bim);
  for (let i = 0; i < m; i++) {
    const x = are[i] * bre[i] - aim[i] * bim[i];
    aim[i] = -(are[i] * bim[i] + aim[i] * bre[i]); // conjugate: the way back is a transform, too
    are[i] = x;
  }
  powerOfTwo(are, aim);
  for (let i = 0; i < n; i++) {
    const x = are[i] / m;
    const y = -aim[i] / m;
    re[i] = x * cos[i] + y * sin[i];
    im[i] = y * cos[i] - x * sin[i];
  }
}
