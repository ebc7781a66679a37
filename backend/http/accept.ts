/** Share of a wildcard's wish that a type gets which is not named: less than one that is. */
const UNNAMED = 0.999

function wishFor(accept: string, type: string): number {
  const [family = ''] = type.split('/')
  let wish = 0
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const quality = parameters.find((text) => text.startsWith('q='))
    const q = quality === undefined ? 1 : Number(quality.slice(2))
    if (Number.isNaN(q)) continue
    if (name === type) return q
    if (name === '*/*' || name === `${family}/*`) wish = Math.max(wish, UNNAMED * q)
  }
  return wish
}

/** Whether a reader wants a stream of events more than the document in its place. */
export const prefersEvents = (accept: string | null | undefined, instead: string): boolean =>
  accept !== null &&
  accept !== undefined &&
  wishFor(accept, 'text/event-stream') > wishFor(accept, instead)
