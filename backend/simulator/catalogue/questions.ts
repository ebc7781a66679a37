import type { Cadence } from './cadence.ts'
import type { Series, Subject, Template } from './template.ts'

/** Common properties of yes-or-no questions of one theme. */
export interface QuestionGroup {
  readonly name: string
  readonly theme: string
  readonly factorSign: 1 | -1
  readonly topics: readonly string[]
  readonly category: string
  readonly tags: readonly string[]
  readonly cadence: Cadence
  readonly listing: Template['listing']
  readonly interest: number
  readonly source: Series['source']
  readonly subjects: readonly Subject[]
  readonly noteA: string
  readonly noteB: string
  readonly divergentNoteB?: string
  readonly notesDiffer?: boolean
}

const series = (group: QuestionGroup, frequency: string): Series => ({
  ticker: 'KX{code}',
  title: '{name}',
  category: group.category,
  frequency,
  tags: group.tags.slice(1),
  source: group.source,
})

/** Questions "by date" with several dates: subjects are verb phrases that follow "Will". */
export function deadlineQuestions(
  group: QuestionGroup,
  after: readonly number[],
  hazardPerDay: number,
): Template {
  return {
    ...group,
    series: series(group, 'custom'),
    shape: { kind: 'deadline', after, hazardPerDay },
    titleA: (s) => `When will ${s.name}?`,
    titleB: (s) => `Will ${s.name} by...?`,
    questionB: (s, d, c) => `Will ${s.name} by ${c.deadline?.short ?? d.short}?`,
    clause: (s, d, c) =>
      `it is established that the answer to "Will ${s.name}?" became yes after issuance and before 11:59 PM ET on ${c.deadline?.short ?? d.short}`,
  }
}

/** One plain yes-or-no market per event: subjects are verb phrases that follow "Will". */
export function plainQuestions(group: QuestionGroup, bias: number): Template {
  return {
    ...group,
    series: series(group, 'one-off'),
    shape: { kind: 'single', bias },
    titleA: (s, d) => `Will ${s.name} before ${d.short}?`,
    titleB: (s, d) => `Will ${s.name} by ${d.monthDay}?`,
    questionB: (s, d) => `Will ${s.name} by ${d.monthDay}, ${d.year}?`,
    clause: (s, d) => `the answer to "Will ${s.name}?" is yes by 11:59 PM ET on ${d.short}`,
  }
}

/**
 * A contest with named contenders: the subject's name is the question after "Who will" or "Which".
 */
export function fieldQuestions(group: QuestionGroup, otherWins: boolean): Template {
  return {
    ...group,
    series: series(group, 'one-off'),
    shape: { kind: 'field', otherWins },
    titleA: (s) => `${s.name}?`,
    titleB: (s, d) => `${s.name}? (${d.month})`,
    questionB: (s, d, c) => `${s.name}: ${c.label}? (${d.month})`,
    clause: (s, d, c) => `${c.label} is the answer to "${s.name}?" as of ${d.short}`,
  }
}
