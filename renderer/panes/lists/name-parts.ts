/** A market's name in two: what it is about, and which outcome of it. */
export interface NameParts {
  readonly lead: string
  readonly outcome: string | null
}

const SEPARATORS = /[\s:·–—-]+$/

/** Splits the outcome off a title that repeats it at its end; others keep both as they are. */
export function nameParts(title: string, subtitle: string | null): NameParts {
  const outcome = subtitle?.trim() ?? ''
  if (outcome === '' || outcome.toLowerCase() === title.trim().toLowerCase()) {
    return { lead: title, outcome: null }
  }
  if (title.toLowerCase().endsWith(outcome.toLowerCase())) {
    const lead = title.slice(0, -outcome.length).replace(SEPARATORS, '')
    return lead === '' ? { lead: title, outcome: null } : { lead, outcome }
  }
  return { lead: title, outcome: title.includes(outcome) ? null : outcome }
}
