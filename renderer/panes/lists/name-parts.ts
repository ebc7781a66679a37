/** A market's name in two: what it is about, and which outcome of it. */
export interface NameParts {
  readonly lead: string
  readonly outcome: string | null
}

const SEPARATORS = /[\s:·–—-]+$/
const SAME_START = 16
const bare = (text: string): string =>
  text
    .trim()
    .replace(/[?.!]+$/, '')
    .toLowerCase()

/** The outcome that a title ends with, as venues and imports put titles of one event together; null for none. */
export function outcomeIn(title: string): string | null {
  const at = title.lastIndexOf(' - ')
  const outcome = at > 0 ? title.slice(at + 3).trim() : ''
  return outcome === '' ? null : outcome
}

/**
 * Splits the outcome off a title that repeats it at its end. A title that is nothing but the
 * outcome is named by its event; an outcome that says the same as the rest is left out.
 */
export function nameParts(
  title: string,
  subtitle: string | null,
  event: string | null = null,
): NameParts {
  const outcome = subtitle?.trim() ?? ''
  if (outcome === '') return { lead: title, outcome: null }
  if (bare(title) === bare(outcome)) {
    return event === null ? { lead: title, outcome: null } : { lead: event, outcome: title }
  }
  if (bare(title).endsWith(bare(outcome))) {
    const lead = title.slice(0, bare(title).length - bare(outcome).length).replace(SEPARATORS, '')
    // Some outcomes are whole sentences that begin as the event does: once is enough.
    const repeats = bare(outcome).startsWith(bare(lead).slice(0, SAME_START))
    return repeats ? { lead: outcome, outcome: null } : { lead, outcome }
  }
  return { lead: title, outcome: bare(title).includes(bare(outcome)) ? null : outcome }
}
