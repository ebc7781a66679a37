/**
 * The nth largest of some numbers, n from 1 up to their count. A heap of the n largest so far is all
 * that is kept, so few of many cost hardly more than a look at each.
 */
export function nthLargest(values: Float64Array, n: number): number {
  const heap = values.slice(0, n).sort()
  let least = heap[0] ?? NaN
  for (let i = n; i < values.length; i++) {
    const value = values[i] ?? NaN
    if (value <= least) continue
    sink(heap, value)
    least = heap[0] ?? NaN
  }
  return least
}

/** Puts a value in the place of the smallest and lets it sink to where it belongs. */
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
