/** A market's name in two parts: its event and its outcome. */
export interface NameParts {
  readonly event: string
  readonly outcome: string | null
}

const SEPARATORS = /[\s:·–—-]+$/
const MIN_COMMON_START = 16
/** A text without its closing punctuation, in lower case. */
const normalized = (text: string): string =>
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
  if (outcome === '')
    return splitByEvent(title, event) ?? splitJoinedOutcome(title) ?? splitTrailingLevel(title)
  if (normalized(title) === normalized(outcome)) {
    const isSame =
      event === null || normalized(title).startsWith(normalized(event).slice(0, MIN_COMMON_START))
    return isSame ? { event: title, outcome: null } : { event, outcome: title }
  }
  if (normalized(title).endsWith(normalized(outcome))) {
    const eventPart = title
      .slice(0, normalized(title).length - normalized(outcome).length)
      .replace(SEPARATORS, '')
    // Some outcomes are whole sentences that begin like the event: the common part is removed.
    const repeats = normalized(outcome).startsWith(normalized(eventPart).slice(0, MIN_COMMON_START))
    return repeats ? { event: outcome, outcome: null } : { event: eventPart, outcome }
  }
  if (normalized(outcome).startsWith(normalized(title).slice(0, MIN_COMMON_START))) {
    return { event: outcome, outcome: null }
  }
  if (!normalized(title).includes(normalized(outcome))) return { event: title, outcome }
  return event === null ? { event: title, outcome: null } : { event, outcome }
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
function splitByEvent(title: string, event: string | null): NameParts | null {
  if (event === null || event === title) return null
  const start = commonStart(title, event)
  if (start < MIN_COMMON_START) return null
  const ending = title.slice(start)
  const end = commonEnd(ending, event.slice(start))
  const outcome = ending
    .slice(0, ending.length - end)
    .replace(/^[\s:·–—-]+/, '')
    .trim()
  return /^[\p{L}\d$]/u.test(outcome) && /\p{L}{2}/u.test(outcome) ? { event, outcome } : null
}

/** `Question: Outcome? (when)`, as one venue joins the outcomes of an event. */
const JOINED_OUTCOME = /^(.{12,}?): (\p{Lu}[^?]*)\?( \([^()]*\))?$/u

/** The outcome that a title has after its question: `Who wins? - Dune`, `Who wins: Dune?`. */
function splitJoinedOutcome(title: string): NameParts | null {
  const outcome = outcomeIn(title)
  if (outcome !== null) return nameParts(title, outcome)
  const [, question, outcomeText, when] = JOINED_OUTCOME.exec(title) ?? []
  if (question === undefined || outcomeText === undefined) return null
  return { event: `${question}?${when ?? ''}`, outcome: outcomeText }
}

/** A level or a date at the end of a title. */
const TRAILING_LEVEL =
  /^(.{16,})\s((?:above|after|at|before|below|between|by|in|of|on|over|through|under) [^,:;()]{0,12}\d[^:;()]{0,8}\??)$/i

/** Keeps the end of a long title readable when it is the level or the date of the question. */
function splitTrailingLevel(title: string): NameParts {
  const [, lead, end] = TRAILING_LEVEL.exec(title) ?? []
  return { event: lead ?? title, outcome: end ?? null }
}
