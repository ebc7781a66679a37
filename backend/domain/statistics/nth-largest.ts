/**
 * The nth largest of some numbers, n from 1 up to their count. Only a heap of the n largest so far
 * is kept, so the cost for a small n is close to one pass.
 */
export function nthLargest(values: Float64Array, n: number): number {
  const heap = values.slice(0, n).sort()
  let min = heap[0] ?? NaN
  for (let i = n; i < values.length; i++) {
    const value = values[i] ?? NaN
    if (value <= min) continue
    sink(heap, value)
    min = heap[0] ?? NaN
  }
  return min
}

/** Replaces the smallest value of the heap and sifts the new one down. */
function sink(heap: Float64Array, value: number): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++
    if (value <= (heap[child] ?? 0)) break
    heap[at] = heap[child] ?? 0
    at = child
  }
  heap[at] = value
}
