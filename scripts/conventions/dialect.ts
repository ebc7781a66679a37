/** Words that comments and messages avoid, each with its replacement. */
export const TERMS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(tells?|told|telling)\b/i, 'report, return, emit, publish, state'],
  [/\b(hears?|heard|hearing)\b/i, 'receive'],
  [/\banew\b/i, 'again'],
  [/\basker\b/i, 'client, requester'],
  [/\b(stands? (for|there|here|behind|beside|still)|stood)\b/i, 'is, exists, represents'],
  [/\b(give|gives|giving|gave) way\b/i, 'yield'],
  [/\bwhoever\b/i, 'the caller, the user'],
  [/\bat hand\b/i, 'available'],
  [/\bin turn\b/i, 'one at a time, in order'],
  [/\bow(e|es|ed)\b/i, 'expected, pending'],
  [/\bwork(s|ed|ing)? out\b/i, 'compute'],
  [/\b(go|goes|going|gone|went) on\b/i, 'continue'],
  [/\b(lets?|letting) go\b/i, 'release'],
  [/\bmend(s|ed|ing)?\b/i, 'repair'],
  [/\btold apart\b/i, 'distinguished'],
  [/\bas (it|they) stands?\b/i, 'current, unchanged'],
  [/\bonce more\b/i, 'again'],
  [/\bwithout a word\b/i, 'silently'],
  [/\b(came|comes?|become|became|becomes|fell|falls?) of\b/i, 'results from, the result'],
  [/\bwhat (is|was|no|of) [a-z]+ (that|which|is|was)\b/i, 'a sentence with a subject and a verb'],
  [/[«»]/, 'straight or curly English quotes'],
]

/** Words that comments and titles of tests avoid; messages use them for people. */
export const PROSE_TERMS: typeof TERMS = [
  ...TERMS,
  [/\b(says|said|saying)\b/i, 'state, report, contain'],
]

/** Parts of names that have a standard term. */
export const NAME_TERMS: ReadonlyMap<string, string> = new Map([
  ['told', 'reported, emitted'],
  ['tell', 'report, emit'],
  ['tells', 'reports, emits'],
  ['teller', 'dispatcher'],
  ['telling', 'reporting, emitting'],
  ['heard', 'received'],
  ['hear', 'receive'],
  ['hears', 'receives'],
  ['hearing', 'connection, reception'],
  ['saying', 'reporting'],
  ['says', 'reports'],
  ['owed', 'pending'],
  ['owes', 'is pending'],
  ['retold', 'repeated'],
  ['whoever', 'the caller, the user'],
  ['anew', 'again'],
  ['asked', 'requested'],
  ['asker', 'requester'],
  ['harvest', 'parse result'],
  ['fate', 'result'],
  ['fates', 'results'],
  ['stood', 'existed'],
  ['said', 'stated, reported'],
  ['standing', 'current, status'],
  ['standings', 'states'],
  ['stands', 'is, state'],
  ['misfit', 'violation'],
  ['spoilt', 'corrupted'],
  ['bustle', 'activity'],
  ['begun', 'started'],
  ['spoken', 'stated'],
  ['misuse', 'usage error'],
  ['surroundings', 'environment, dependencies'],
  ['entrance', 'sign-in'],
  ['retreat', 'backoff'],
  ['alongside', 'extra write, in the same transaction'],
  ['foresight', 'horizon, lookahead'],
  ['befall', 'happen to'],
])

/** Ids of promises in a citation; they are never renamed. */
const CITATIONS = /\[[a-z0-9-]+(\.[a-z0-9-]+)+\]/g

/** Returns the avoided words of a comment, a title or a message. */
export function dialectIn(text: string, terms = TERMS): string[] {
  const prose = text.replace(CITATIONS, '')
  return terms.flatMap(([pattern, instead]) => {
    const [found] = pattern.exec(prose) ?? []
    return found === undefined ? [] : [`"${found}": ${instead}`]
  })
}

/** Returns the avoided parts of a name in camel case or with underscores. */
export const dialectInName = (name: string): string[] =>
  name
    .replace('#', '')
    .split(/(?=[A-Z])|_|-/)
    .map((part) => part.toLowerCase())
    .flatMap((part) => {
      const instead = NAME_TERMS.get(part)
      return instead === undefined ? [] : [`"${part}" in ${name}: ${instead}`]
    })
