import { describe, expect, it } from 'vitest'
import { DAY, HOUR, type Millis } from '../units.ts'
import { vetoesOf } from './conflicts.ts'
import type { Fingerprint } from './fingerprint.ts'
import { qualifiersOf } from './qualifiers.ts'

/** Each reason for which two markets are not the same question, or may settle differently. */
const NOON = Date.parse('2026-06-01T12:00:00Z') as Millis
const day = (days: number): Millis => (NOON + days * DAY) as Millis
const TIMELESS: Fingerprint['time'] = { day: null, bound: null, years: [], periodMonths: [] }

/** A fingerprint about which nothing is known. */
const marketOf = (known: Partial<Fingerprint> = {}): Fingerprint => ({
  venue: 'venue_a',
  ticker: 'A',
  eventId: 'E',
  theme: 'other',
  category: 'other',
  closeTime: null,
  endTime: null,
  decisionTime: null,
  isEndExpected: false,
  mark: null,
  terms: [],
  entities: [],
  names: [],
  subject: null,
  contest: null,
  home: null,
  parties: [],
  states: [],
  isRace: false,
  listedEnd: null,
  strikes: [],
  time: TIMELESS,
  comparator: null,
  direction: null,
  inclusive: null,
  isWeather: false,
  negated: false,
  predicate: [],
  actions: [],
  quantities: [],
  spans: [],
  offices: [],
  sources: [],
  release: null,
  stage: null,
  requirements: [],
  departure: null,
  settings: [],
  exclusions: null,
  undecided: null,
  ...known,
})
type Known = Partial<Fingerprint>
const timed = (time: Partial<Fingerprint['time']>): Known => ({ time: { ...TIMELESS, ...time } })
const on = (days: number, more: Known = {}): Known => ({
  ...timed({ day: day(days), bound: 'on' }),
  ...more,
})

describe('two markets on one event', () => {
  const price = (hours: number, more: Known = {}): Known =>
    on(0, { terms: ['price'], closeTime: (NOON + hours * HOUR) as Millis, ...more })

  it.each<[string, Known, Known, string[]]>([
    ['nothing known', {}, {}, []],
    [
      'a touch and a close above',
      { comparator: 'touch', strikes: [1] },
      { comparator: 'close', strikes: [1] },
      ['touch'],
    ],
    [
      'a range and a close above',
      { comparator: 'range', strikes: [1] },
      { comparator: 'close', strikes: [1] },
      ['range'],
    ],
    [
      'a range and a touch',
      { comparator: 'range', strikes: [1] },
      { comparator: 'touch', strikes: [1] },
      ['touch', 'range'],
    ],
    [
      'two touches',
      { comparator: 'touch', strikes: [1] },
      { comparator: 'touch', strikes: [1] },
      [],
    ],
    ['another release', { release: 'first' }, { release: 'final' }, ['release']],
    ['another stage', { stage: 'advance' }, {}, ['stage']],
    ['other sources', { sources: ['a'] }, { sources: ['b'] }, ['source']],
    ['one unknown source', { sources: ['a'] }, {}, []],
    [
      'one unknown source of a temperature',
      { sources: ['a'], isWeather: true },
      { isWeather: true },
      ['source'],
    ],
    [
      'a shared source of a temperature',
      { sources: ['a'], isWeather: true },
      { sources: ['a', 'b'], isWeather: true },
      [],
    ],
    ['one temperature', { isWeather: true }, {}, []],
    ['other payouts of a tie', { undecided: 'half' }, { undecided: 'no' }, ['undecided']],
    ['one known payout of a tie', { undecided: 'half' }, {}, []],
    ['death left out, rules unknown', { departure: ['deathLeftOut'] }, {}, ['departure']],
    ['arrest counts, rules unknown', { departure: ['arrest'] }, {}, []],
    ['other departures', { departure: ['arrest'] }, { departure: [] }, ['departure']],
    ['the same departures', { departure: ['arrest'] }, { departure: ['arrest'] }, []],
    [
      'another choice of one matter',
      { settings: ['holiday.next'] },
      { settings: ['holiday.before'] },
      ['setting'],
    ],
    [
      'one choice in common',
      { settings: ['holiday.next', 'holiday.both'] },
      { settings: ['holiday.next'] },
      [],
    ],
    ['choices of other matters', { settings: ['holiday.next'] }, { settings: ['hour.noon'] }, []],
    ['one more exclusion', { exclusions: [['war', 'act']] }, { exclusions: [] }, ['exclusion']],
    ['exclusions unknown', { exclusions: [['war', 'act']] }, {}, []],
    [
      'half of an exclusion',
      { exclusions: [['war', 'act']] },
      { exclusions: [['war', 'x', 'y']] },
      [],
    ],
    [
      'less than half of an exclusion',
      { exclusions: [['war', 'a', 'b']] },
      { exclusions: [['war', 'x', 'y']] },
      ['exclusion'],
    ],
    ['other words', { requirements: ['a'] }, { requirements: ['b'] }, ['words']],
    ['words of one', { requirements: ['a'] }, {}, []],
    ['a threshold against none', { comparator: 'close', strikes: [1] }, {}, ['threshold']],
    [
      'exactly the threshold',
      { inclusive: true, direction: 1 },
      { inclusive: false, direction: 1 },
      ['strictness'],
    ],
    [
      'the other direction',
      { inclusive: true, direction: 1 },
      { inclusive: false, direction: -1 },
      [],
    ],
    ['one unknown strictness', { inclusive: true }, {}, []],
    [
      'other statements',
      { predicate: ['x'], terms: ['x'] },
      { predicate: ['y'], terms: ['y'] },
      ['predicate'],
    ],
    [
      'a further statement',
      { predicate: ['x'], terms: ['x'] },
      { predicate: ['x', 'y'], terms: ['x', 'y'] },
      [],
    ],
    [
      'one action',
      { predicate: ['x'], actions: ['win'] },
      { predicate: ['y'], actions: ['win'] },
      [],
    ],
    ['numbers', { predicate: ['x'], strikes: [1] }, { predicate: ['y'], strikes: [1] }, []],
    ['deadlines two days apart', on(0), on(2), []],
    ['deadlines more than two days apart', on(0), on(2.01), ['deadline']],
    [
      'a deadline without a day',
      timed({ bound: 'by' }),
      timed({ bound: 'by', day: day(0) }),
      ['deadline'],
    ],
    ['two without a day', timed({ bound: 'by' }), timed({ bound: 'by' }), []],
    ['an end 90 days from a day', on(0), { endTime: day(90) }, []],
    ['an end more than 90 days from a day', on(0), { endTime: day(90.01) }, ['deadline']],
    [
      'ends far apart in one year',
      { endTime: day(0), ...timed({ years: [2026] }) },
      { endTime: day(200), ...timed({ years: [2026] }) },
      [],
    ],
    ['ends far apart in unknown years', { endTime: day(0) }, { endTime: day(200) }, ['deadline']],
    [
      'a single day and an end in one year',
      on(0, { time: { ...TIMELESS, day: day(0), bound: 'on', years: [2026] } }),
      { endTime: day(200), ...timed({ years: [2026] }) },
      ['deadline'],
    ],
    ['an unknown end', { endTime: day(0) }, {}, []],
    ['prices an hour apart', price(0), price(1), []],
    ['prices more than an hour apart', price(0), price(1.01), ['hour']],
    ['a price of one', price(0), price(3, { terms: [] }), ['hour']],
    ['no price', price(0, { terms: [] }), price(3, { terms: [] }), []],
    ['prices up to a day', price(0), price(3, timed({ day: day(0), bound: 'by' })), []],
    ['a close that is unknown', price(0), price(0, { closeTime: null }), []],
  ])('may settle differently: %s', (_what, a, b, expected) => {
    expect(qualifiersOf(marketOf(a), marketOf(b))).toEqual(expected)
    expect(qualifiersOf(marketOf(b), marketOf(a))).toEqual(expected)
  })
})

describe('two markets', () => {
  const contest = (home: string[], away: string[], more: Known = {}): Known => ({
    contest: [home, away],
    terms: [...home, ...away],
    ...more,
  })
  const expected = (days: number): Known => ({ endTime: day(days), isEndExpected: true })
  const named = (name: string[], more: Known = {}): Known => ({
    names: [name],
    terms: name,
    entities: name,
    ...more,
  })

  it.each<[string, Known, Known, string[]]>([
    ['nothing known', {}, {}, []],
    ['other numbers', { strikes: [3] }, { strikes: [4] }, ['number']],
    ['other years', timed({ years: [2026] }), timed({ years: [2027] }), ['year']],
    ['a shared year', timed({ years: [2026] }), timed({ years: [2026, 2027] }), []],
    [
      'other months',
      timed({ periodMonths: ['may'] }),
      timed({ periodMonths: ['jun'] }),
      ['period'],
    ],
    ['days one apart', on(0), on(1), ['day']],
    ['days less than one apart', on(0), on(0.99), []],
    [
      'deadlines 90 days apart',
      timed({ day: day(0), bound: 'by' }),
      timed({ day: day(90), bound: 'by' }),
      [],
    ],
    [
      'deadlines further apart',
      timed({ day: day(0), bound: 'by' }),
      timed({ day: day(90.01), bound: 'by' }),
      ['deadline'],
    ],
    ['up to a day and on a day', timed({ day: day(0), bound: 'by' }), on(0), ['bound']],
    ['a day and an end 90 days later', on(0), { endTime: day(90) }, []],
    ['a day and an end later', on(0), { endTime: day(91) }, ['day']],
    [
      'a day of a month and an end later',
      on(0, timed({ day: day(0), bound: 'on', periodMonths: ['may'] })),
      { endTime: day(91) },
      [],
    ],
    ['a deadline and an end later', timed({ day: day(0), bound: 'by' }), { endTime: day(91) }, []],
    ['other offices', { offices: ['senate'] }, { offices: ['house'] }, ['office']],
    [
      'races for another office',
      { offices: ['senate'], isRace: true },
      { isRace: true },
      ['office'],
    ],
    ['one race', { offices: ['senate'], isRace: true }, {}, []],
    ['two offices at once', { offices: ['house', 'senate'] }, { offices: ['senate'] }, ['office']],
    [
      'other states',
      { offices: ['senate'], states: ['tx'] },
      { offices: ['senate'], states: ['oh'] },
      ['office'],
    ],
    [
      'a state and the nation',
      { offices: ['senate'], states: ['tx'] },
      { offices: ['senate'] },
      ['office'],
    ],
    ['other parties', { parties: ['dem'] }, { parties: ['rep'] }, ['name']],
    ['one known party', { parties: ['dem'] }, {}, []],
    ['other subjects', { subject: ['ann', 'lee'] }, { subject: ['bob', 'ray'] }, ['name']],
    ['a longer subject', { subject: ['lee'] }, { subject: ['ann', 'lee'] }, []],
    ['a subject that is not mentioned', { subject: ['lee'] }, { terms: ['rain'] }, ['name']],
    ['half of a subject mentioned', { subject: ['ann', 'lee'] }, { terms: ['lee'] }, []],
    ['a relative', named(['ann', 'lee']), named(['bob', 'lee']), ['name']],
    ['an initial', named(['ann', 'lee']), named(['a', 'lee']), []],
    ['a surname alone', named(['ann', 'lee']), named(['lee']), []],
    ['a first name alone in common', named(['ann', 'lee']), named(['ann', 'ray']), ['name']],
    ['other people', named(['ann', 'lee']), named(['bob', 'ray']), ['name']],
    ['one person', named(['ann', 'lee']), {}, []],
    [
      'one contest in either order',
      contest(['york'], ['boston']),
      contest(['boston'], ['york']),
      [],
    ],
    ['another opponent', contest(['york'], ['boston']), contest(['york'], ['miami']), ['name']],
    [
      'another club of a place',
      contest(['madrid', 'real'], ['york']),
      contest(['madrid', 'atletico'], ['york']),
      ['name'],
    ],
    [
      'a contest without its sides',
      contest(['york'], ['boston']),
      { terms: ['york'] },
      ['quantity'],
    ],
    ['a contest with its sides', contest(['york'], ['boston']), { terms: ['york', 'boston'] }, []],
    [
      'contests two days apart',
      contest(['york'], ['boston'], expected(0)),
      contest(['york'], ['boston'], expected(2)),
      [],
    ],
    [
      'contests further apart',
      contest(['york'], ['boston'], expected(0)),
      contest(['york'], ['boston'], expected(2.01)),
      ['day'],
    ],
    [
      'contests whose end is not expected',
      contest(['york'], ['boston'], { endTime: day(0) }),
      contest(['york'], ['boston'], expected(9)),
      [],
    ],
    [
      'other grounds',
      contest(['york'], ['boston'], { home: ['york'], quantities: ['btts'] }),
      contest(['york'], ['boston'], { home: ['boston'], quantities: ['btts'] }),
      ['name'],
    ],
    [
      'other grounds of another question',
      contest(['york'], ['boston'], { home: ['york'] }),
      contest(['york'], ['boston'], { home: ['boston'] }),
      [],
    ],
    ['a quantity of one', { quantities: ['goals'] }, {}, ['quantity']],
    ['other spans', { spans: ['week'] }, { spans: ['month'] }, ['quantity']],
    ['other actions', { actions: ['win'] }, { actions: ['lose'] }, ['quantity']],
    [
      'touches from both sides',
      { comparator: 'touch', direction: 1 },
      { comparator: 'touch', direction: -1 },
      ['quantity'],
    ],
    [
      'touches from one side',
      { comparator: 'touch', direction: 1 },
      { comparator: 'touch', direction: 1 },
      [],
    ],
    [
      'a touch of unknown direction',
      { comparator: 'touch', direction: 1 },
      { comparator: 'touch' },
      [],
    ],
    [
      'other matters',
      { predicate: ['a', 'b'], terms: ['a', 'b'] },
      { predicate: ['c', 'd'], terms: ['c', 'd'] },
      ['matter'],
    ],
    [
      'one word each',
      { predicate: ['a'], terms: ['a'] },
      { predicate: ['c', 'd'], terms: ['c', 'd'] },
      [],
    ],
    [
      'a word mentioned',
      { predicate: ['a', 'b'], terms: ['a', 'b'] },
      { predicate: ['c', 'd'], terms: ['b', 'c', 'd'] },
      [],
    ],
    [
      'words of time',
      { predicate: ['a', 'befor'], terms: ['a'] },
      { predicate: ['c', 'd'], terms: ['c', 'd'] },
      [],
    ],
    [
      'a race',
      { predicate: ['a', 'b'], terms: ['a', 'b'], isRace: true },
      { predicate: ['c', 'd'], terms: ['c', 'd'] },
      [],
    ],
    [
      'long matters with one word in common',
      { predicate: ['a', 'b', 'c', 'd', 'e'], terms: ['a'] },
      { predicate: ['a', 'v', 'w', 'x', 'y'], terms: ['a'] },
      ['matter'],
    ],
    [
      'shorter ones',
      { predicate: ['a', 'b', 'c'], terms: ['a'] },
      { predicate: ['a', 'v', 'w'], terms: ['a'] },
      [],
    ],
  ])('ask different questions: %s', (_what, a, b, reasons) => {
    expect(vetoesOf(marketOf(a), marketOf(b))).toEqual(reasons)
    expect(vetoesOf(marketOf(b), marketOf(a))).toEqual(reasons)
  })
})
