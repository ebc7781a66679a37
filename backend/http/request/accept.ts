/**
 * Factor applied to a wildcard's quality for types that are not listed, so that a listed type wins
 * a tie.
 */
const UNNAMED = 0.999

function qualityOf(accept: string, type: string): number {
  const [family = ''] = type.split('/')
  let preference = 0
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const quality = parameters.find((text) => text.startsWith('q='))
    const q = quality === undefined ? 1 : Number(quality.slice(2))
    if (Number.isNaN(q)) continue
    if (name === type) return q
    if (name === '*/*' || name === `${family}/*`) preference = Math.max(preference, UNNAMED * q)
  }
  return preference
}

/** Whether the client prefers an event stream to the document served otherwise. */
export const prefersEvents = (accept: string | null | undefined, instead: string): boolean =>
  accept !== null &&
  accept !== undefined &&
  qualityOf(accept, 'text/event-stream') > qualityOf(accept, instead)
