/** A market's name in two parts: its event and its outcome. */
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

/**
 * The outcome at the end of a title, in the form venues and imports use to join titles of one
 * event; null for none.
 */
export function outcomeIn(title: string): string | null {
  const at = title.lastIndexOf(' - ')
  const outcome = at > 0 ? title.slice(at + 3).trim() : ''
  return outcome === '' ? null : outcome
}

/**
 * Splits off an outcome that the title repeats at its end. A title that is only the outcome is
 * named by its event; an outcome that equals the rest is left out.
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
    // Some outcomes are whole sentences that begin like the event: the common part is removed.
    const repeats = bare(outcome).startsWith(bare(lead).slice(0, SAME_START))
    return repeats ? { lead: outcome, outcome: null } : { lead, outcome }
  }
  return { lead: title, outcome: bare(title).includes(bare(outcome)) ? null : outcome }
}
