import type { Phrase } from '../pairing/vocabulary.ts'
import { termsOf } from '../text/terms.ts'

/** Wordings of questions, replaced before a question or a title is read; folded text. */
export const REWRITES: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z])\. ?([a-z])\.(?=\W|$)/g, '$1$2'],
  [/\bno change\b/g, 'unchanged'],
  [
    /\b(?:leave|keep|hold)s? (?:the |its )?((?:fed |interest )*rates?) (?:unchanged|steady|on hold)\b/g,
    '$1 unchanged',
  ],
  // A venue's name of the outcome in which a rate stays.
  [/\b(?:hikes?|cuts?) (?:by |of )?0 ?(?:bps?|basis points?)(?![\w.])/g, 'unchanged'],
  [/\blast day of (?=\d{4}\b)/g, 'end of '],
  [/\bsuper ?bowl\b/g, 'nfl championship'],
  [/\b(?:goes|going|go|went) public\b/g, 'ipo'],
  [/\b(gta|final fantasy) vi\b/g, '$1 6'],
  [/\bdefen[cs]e secretary\b/g, 'secretary of defense'],
  [/\bspeakership\b/g, 'speaker of the house'],
  [/\bpresidency\b/g, 'presidential election'],
  [/\bmidterms?\b/g, '2026 midterm elections'],
  [/\btop (?:goal ?)?scorer\b/g, 'top goal scorer'],
  [/\bwin the east\b/g, 'win the eastern conference'],
  [/\bwin the west\b/g, 'win the western conference'],
  [/\bformula (?:1|one)\b/g, 'f1'],
  [/\b(?:agree|reach|sign|declare)(?:e?s|e?d)? (?:on |to )?an? (?=ceasefire|truce)/g, ''],
  [/\bnormali[sz]e[sd]?\b/g, 'normalize'],
  [/\bjay powell\b/g, 'jerome powell'],
  [/\b007\b/g, 'james bond'],
  [/\bsaturday night live\b/g, 'snl'],
  [/\bflippening\b/g, 'flipped'],
  [/\bpm\b/g, 'prime minister'],
]

/** Words with the same meaning in a question; each line is one meaning. */
const MEANINGS = `
cut decrease lower reduce slash
hike raise increase
drop fall dip below under crash decline plunge low
reach hit above exceed over surpass break high greater more
out leave resign quit depart ousted removed step lose fired leaving
win champion championship champions winner title victory finals crowned
visit return enter
release launch out come released drop
secede secession leave
buy acquire purchase acquired take
marry married wedding
successor succeed replace next named new become
eradicate eliminate without
charged crime indicted
prison jail sentenced
collaborate song together
price cost
top highest
hot hottest
human people
device hardware product
presidential president
land launch
abolish abolished eliminate end
economy gdp
hold continue last
lead leader leadership head
end break broken ends stop
finish place second
team club
speaker speak
retire resign
democrat democratic dems
republican gop
sing perform
collapse fall
plan agree
folding foldable
delayed postponed
clash engagement fighting
aoc ocasio
bibi netanyahu
okc oklahoma
dem democrat
fomc fed federal
scotus supreme
potus president
rfk kennedy
mbs salman
spx s&p`
const ALTERNATIVES = new Map<string, Set<string>>()
for (const line of MEANINGS.trim().split('\n')) {
  const terms = termsOf(line).map(({ term }) => term)
  for (const term of terms) {
    const alternatives = ALTERNATIVES.get(term) ?? new Set()
    for (const other of terms) alternatives.add(other)
    ALTERNATIVES.set(term, alternatives)
  }
}

/** Terms with the meaning of a term, including itself. */
export const meaningsOf = (term: string): ReadonlySet<string> =>
  ALTERNATIVES.get(term) ?? new Set([term])

/** Events that questions distinguish and pairing does not. */
export const EVENT_ACTIONS: readonly Phrase[] = [
  {
    id: 'succeed',
    pattern:
      /\b(?:be|becomes?|name[sd]?|who is) (?:the |as |a )*(?:new|next)\b(?! to)|\bnext (?:new )?(?:pope|president|prime minister|leader|supreme leader|speaker|chancellor|ceo|captain|secretary|press)\b(?! out)|\bsuccessor\b|\bsucceeds?\b|\breplaces?\b/,
  },
  { id: 'leave', pattern: /\b(?:retires?|withdraws?|withdrawal|exits?)\b/ },
  { id: 'maintain', pattern: /\b(?:pauses?|holds? steady|keeps? rates)\b/ },
  { id: 'recession', pattern: /\brecession\b/ },
  { id: 'unemployment', pattern: /\bunemployment\b/ },
]

/** Words that shape a question and do not describe its subject. */
export const FILLERS: ReadonlySet<string> = new Set(
  termsOf(
    'any some many much big get go going come happen new next become year years month day week end ' +
      'time chance odds likely probability market really ever yet still also there whether ' +
      'no yes first start possible gonna please tell think actually u',
  ).map(({ term }) => term),
)

/** Words that imply the United States. */
export const OF_UNITED_STATES: readonly string[] = termsOf(
  'trump fed congress senate republican democrat scotus nasa pentagon',
).map(({ term }) => term)
