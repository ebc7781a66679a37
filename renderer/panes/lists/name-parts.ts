/** A market's name in two parts: its event and its outcome. */
export interface NameParts {
  readonly lead: string
  readonly outcome: string | null
}

const SEPARATORS = /[\s:·–—-]+$/
const MIN_COMMON_START = 16
/** A text without its closing punctuation, in lower case. */
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
  if (outcome === '') return withinEvent(title, event) ?? withJoined(title) ?? withEnd(title)
  if (bare(title) === bare(outcome)) {
    const isSame = event === null || bare(title).startsWith(bare(event).slice(0, MIN_COMMON_START))
    return isSame ? { lead: title, outcome: null } : { lead: event, outcome: title }
  }
  if (bare(title).endsWith(bare(outcome))) {
    const lead = title.slice(0, bare(title).length - bare(outcome).length).replace(SEPARATORS, '')
    // Some outcomes are whole sentences that begin like the event: the common part is removed.
    const repeats = bare(outcome).startsWith(bare(lead).slice(0, MIN_COMMON_START))
    return repeats ? { lead: outcome, outcome: null } : { lead, outcome }
  }
  if (bare(outcome).startsWith(bare(title).slice(0, MIN_COMMON_START))) {
    return { lead: outcome, outcome: null }
  }
  if (!bare(title).includes(bare(outcome))) return { lead: title, outcome }
  return event === null ? { lead: title, outcome: null } : { lead: event, outcome }
}

/** Where a text stops being the beginning of another, at the start of a word. */
function commonStart(left: string, right: string): number {
  let at = 0
  while (at < left.length && left[at] === right[at]) at += 1
  while (at > 0 && /\w/.test(left[at - 1] ?? '') && /\w/.test(left[at] ?? '')) at -= 1
  return at
}

/** How many characters at the end two texts share, from the start of a word. */
function commonEnd(left: string, right: string): number {
  const max = Math.min(left.length, right.length)
  let count = 0
  while (count < max && left.at(-1 - count) === right.at(-1 - count)) count += 1
  while (count > 0 && /\w/.test(left.at(-count) ?? '') && /\w/.test(left.at(-1 - count) ?? '')) {
    count -= 1
  }
  return count
}

/** The part of a title that its event does not have: `Favourite: Dune?` of `Favourite?`. */
function withinEvent(title: string, event: string | null): NameParts | null {
  if (event === null || event === title) return null
  const start = commonStart(title, event)
  if (start < MIN_COMMON_START) return null
  const rest = title.slice(start)
  const end = commonEnd(rest, event.slice(start))
  const outcome = rest
    .slice(0, rest.length - end)
    .replace(/^[\s:·–—-]+/, '')
    .trim()
  return /^[\p{L}\d$]/u.test(outcome) && /\p{L}{2}/u.test(outcome) ? { lead: event, outcome } : null
}

/** `Question: Outcome? (when)`, as one venue joins the outcomes of an event. */
const NAMED = /^(.{12,}?): (\p{Lu}[^?]*)\?( \([^()]*\))?$/u

/** The outcome that a title has after its question: `Who wins? - Dune`, `Who wins: Dune?`. */
function withJoined(title: string): NameParts | null {
  const outcome = outcomeIn(title)
  if (outcome !== null) return nameParts(title, outcome)
  const [, question, named, when] = NAMED.exec(title) ?? []
  if (question === undefined || named === undefined) return null
  return { lead: `${question}?${when ?? ''}`, outcome: named }
}

/** A level or a date at the end of a title. */
const END =
  /^(.{16,})\s((?:above|after|at|before|below|between|by|in|of|on|over|through|under) [^,:;()]{0,12}\d[^:;()]{0,8}\??)$/i

/** Keeps the end of a long title readable when it is the level or the date of the question. */
function withEnd(title: string): NameParts {
  const [, lead, end] = END.exec(title) ?? []
  return { lead: lead ?? title, outcome: end ?? null }
}
