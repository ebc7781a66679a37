/**
 * Reduces values to at most `limit` points without losing a spike: each bucket keeps its lowest and
 * highest value in order, and both ends stay.
 */
export function decimate(values: readonly number[], limit: number): readonly number[] {
  const first = values[0]
  const last = values.at(-1)
  if (values.length <= limit || limit < 4 || first === undefined || last === undefined) {
    return values
  }
  const slices = Math.floor((limit - 2) / 2)
  const inner = values.length - 2
  const samples = [first]
  for (let slice = 0; slice < slices; slice++) {
    const from = 1 + Math.floor((slice * inner) / slices)
    const to = 1 + Math.floor(((slice + 1) * inner) / slices)
    let low = from
    let high = from
    for (let index = from; index < to; index++) {
      if ((values[index] ?? 0) < (values[low] ?? 0)) low = index
      if ((values[index] ?? 0) > (values[high] ?? 0)) high = index
    }
    for (const index of low === high ? [low] : [Math.min(low, high), Math.max(low, high)]) {
      samples.push(values[index] ?? first)
    }
  }
  samples.push(last)
  return samples
}
