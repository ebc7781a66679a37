/** The fields of a market that decide which other markets ask the same. */
export interface QuestionSubject {
  /** Key of its event, different on each venue. */
  readonly event: string
  /** At most one market of the event ends YES. */
  readonly exclusive: boolean
}

/** Markets that ask the same question, or opposite ones, on two venues. */
export interface QuestionTwins {
  readonly a: string
  readonly b: string
  readonly confidence: number
}

export const QUESTION_GROUP_PARAMS = {
  /** Minimum confidence at which two markets are treated as one question. */
  twins: 0.75,
} as const

/**
 * Groups markets by what they ask: twins on two venues are one question of one event, and the
 * outcomes of an exclusive event are one question.
 */
export class QuestionGroups {
  readonly #subjectOf: (ticker: string) => QuestionSubject | null
  /** Parent of each joined name (union–find). */
  readonly #parents = new Map<string, string>()

  /** @param subjectOf null for a market that is not known */
  constructor(
    subjectOf: (ticker: string) => QuestionSubject | null,
    questionTwins: Iterable<QuestionTwins>,
    params: { readonly twins: number } = QUESTION_GROUP_PARAMS,
  ) {
    this.#subjectOf = subjectOf
    for (const { a, b, confidence } of questionTwins) {
      const [subjectA, subjectB] = [subjectOf(a), subjectOf(b)]
      if (confidence < params.twins || subjectA === null || subjectB === null) continue
      this.#join(`market ${a}`, `market ${b}`)
      this.#join(`event ${subjectA.event}`, `event ${subjectB.event}`)
    }
  }

  /** Key of the event of a market on either venue; null for an unknown market. */
  eventOf(ticker: string): string | null {
    const subject = this.#subjectOf(ticker)
    return subject === null ? null : this.#rootOf(`event ${subject.event}`)
  }

  /** Key of the question of a market; null for an unknown market. */
  questionOf(ticker: string): string | null {
    const subject = this.#subjectOf(ticker)
    if (subject === null) return null
    return this.#rootOf(subject.exclusive ? `event ${subject.event}` : `market ${ticker}`)
  }

  #rootOf(name: string): string {
    let root = name
    for (let up = this.#parents.get(root); up !== undefined; up = this.#parents.get(root)) root = up
    return root
  }

  #join(name: string, otherName: string): void {
    const [first, second] = [this.#rootOf(name), this.#rootOf(otherName)]
    if (first !== second) {
      // The lesser name is the root, so that keys do not depend on the order of the pairs.
      this.#parents.set(first < second ? second : first, first < second ? first : second)
    }
  }
}
