import { weekly } from './cadence.ts'
import { deadlineQuestions, fieldQuestions, plainQuestions } from './questions.ts'
import type { QuestionGroup } from './questions.ts'
import type { Subject, Template } from './template.ts'

const NYT = { name: 'The New York Times', url: 'https://www.nytimes.com' }
const STATES =
  'Ohio Texas Georgia Maine Iowa Alaska Kansas Florida Nevada Michigan Arizona Wisconsin Minnesota Virginia Nebraska Montana Colorado Oregon Indiana Missouri Kentucky Tennessee Alabama Louisiana Oklahoma'.split(
    ' ',
  )
const stateCode = (name: string): string => name.slice(0, 4).toUpperCase()
const states = (name: (state: string) => string, code: string): Subject[] =>
  STATES.map((state) => ({
    code: `${code}${stateCode(state)}`,
    name: name(state),
    field: ['Republican', 'Democratic', 'Independent'],
  }))

const trump: QuestionGroup = {
  name: 'trump',
  theme: 'white-house',
  factorSign: 1,
  topics: ['trump'],
  category: 'Politics',
  tags: ['Politics', 'Trump', 'Trump Presidency'],
  cadence: { every: 'days', step: 14, phase: 5, hour: 5, life: 30 },
  listing: 'both',
  interest: 1.6,
  source: NYT,
  noteA:
    'Reports of the source agencies decide. Actions announced without legal effect are not encompassed by the Payout Criterion.',
  noteB:
    'The resolution source will be official statements from the Trump administration or a consensus of credible reporting; actions announced without legal effect will not count.',
  subjects: [
    { code: 'TRUMPCABINET', name: 'a member of the Trump cabinet leave' },
    { code: 'TRUMPPARDON', name: 'Trump pardon a former member of Congress' },
    { code: 'TRUMPTARIFF', name: 'Trump announce tariffs on a further country' },
    { code: 'TRUMPEO', name: 'Trump sign more than ten executive orders' },
    { code: 'TRUMPVETO', name: 'Trump veto a bill' },
    { code: 'WHPRESS', name: 'the White House name a new press secretary' },
    { code: 'INSURRECT', name: 'Trump invoke the Insurrection Act' },
  ],
}
const elections: QuestionGroup = {
  name: 'election',
  theme: 'us-elections',
  factorSign: 1,
  topics: ['election-2026'],
  category: 'Elections',
  tags: ['Politics', 'US Election', 'Elections'],
  cadence: { every: 'month', day: 3, hour: 29, life: 100 },
  listing: 'both',
  interest: 1.3,
  source: { name: 'Associated Press', url: 'https://apnews.com' },
  noteA:
    'The party that the winner was nominated by decides; a change of party afterwards does not.',
  noteB:
    'This market will resolve once the Associated Press, Fox News and NBC have all called the race for the same candidate.',
  divergentNoteB:
    'This market will resolve once the Associated Press, Fox News and NBC have all called the race for the same candidate. Independents who caucus with a party do not count as its candidates.',
  subjects: states((state) => `Who will win the ${state} Senate race`, 'SENATE'),
}

export const POLITICS: readonly Template[] = [
  {
    ...trump,
    name: 'approval',
    factorSign: 1,
    interest: 1.4,
    topics: ['trump'],
    listing: 'both',
    theme: 'white-house',
    series: {
      ticker: 'KX{code}',
      title: 'Approval rating',
      category: 'Politics',
      frequency: 'weekly',
      tags: ['Approval Ratings', 'Trump'],
      source: { name: 'Silver Bulletin', url: 'https://www.natesilver.net' },
    },
    tags: ['Politics', 'Trump', 'Approval'],
    cadence: weekly(5, 17, 9),
    subjects: [
      { code: 'APRPOTUS', name: 'Trump approval rating', base: 41.2, dailyMove: 0.16, step: 0.5 },
    ],
    shape: { kind: 'between', strikes: 7, geometric: false, hasOwnPath: false },
    titleA: (s, d) => `${s.name} on ${d.short}?`,
    titleB: (s, d) => `${s.name} on ${d.monthDay}?`,
    questionB: (s, d, c) => `Will the ${s.name} be ${c.label} on ${d.monthDay}?`,
    clause: (s, d, c) => `the ${s.name} published for ${d.short} is ${c.label}`,
    label: (value) => `${value.toFixed(1)}%`,
    noteA: 'The figure as first shown for the day is used.',
    noteB: 'The figure as first shown for the day; later adjustments are ignored.',
  },
  deadlineQuestions(
    {
      ...trump,
      name: 'trump-long',
      interest: 1.2,
      cadence: { every: 'month', day: 19, hour: 5, life: 90 },
      subjects: [
        { code: 'TRUMPOUT', name: 'Trump leave the presidency' },
        { code: 'TRUMPXI', name: 'Trump meet Xi Jinping in person' },
        { code: 'TRUMPIMPEACH', name: 'the House impeach Trump' },
        { code: 'GOVSHUT', name: 'the White House and Congress let the government shut down' },
        { code: 'TRUMPTHIRD', name: 'Trump file to run for a third term' },
      ],
    },
    [0, 31, 61, 122],
    0.002,
  ),
  plainQuestions(trump, -0.4),
  fieldQuestions(elections, false),
  fieldQuestions(
    {
      ...elections,
      name: 'governor',
      listing: 'both',
      interest: 0.9,
      cadence: { every: 'month', day: 3, hour: 29, life: 80 },
      subjects: states((state) => `Who will be elected governor of ${state}`, 'GOVPARTY'),
    },
    false,
  ),
  plainQuestions(
    {
      ...elections,
      name: 'house-race',
      listing: 'a',
      interest: 0.6,
      cadence: { every: 'days', step: 28, phase: 9, hour: 29, life: 60 },
      subjects: STATES.slice(6).map((state) => ({
        code: `HOUSE${stateCode(state)}`,
        name: `a recount change the winner of a House race in ${state}`,
      })),
    },
    -1.4,
  ),
  fieldQuestions(
    {
      ...elections,
      name: 'control',
      interest: 4,
      cadence: { every: 'year', month: 10, day: 3, hour: 42, life: 180 },
      subjects: [
        {
          code: 'CONTROLH',
          name: 'Which party will win control of the House',
          field: ['Democratic Party', 'Republican Party'],
        },
        {
          code: 'CONTROLS',
          name: 'Which party will win control of the Senate',
          field: ['Republican Party', 'Democratic Party'],
        },
        {
          code: 'BALANCE',
          name: 'What will the balance of power be after the midterm',
          field: ['D House, R Senate', 'D sweep', 'R sweep', 'R House, D Senate'],
        },
      ],
    },
    false,
  ),
  fieldQuestions(
    {
      ...elections,
      name: 'nominee',
      topics: [],
      interest: 3,
      cadence: { every: 'quarter', hour: 29, life: 150 },
      noteA: 'Standing of the field at the end of the quarter according to the poll average.',
      noteB: 'The leader of the poll average at the end of the quarter decides.',
      divergentNoteB:
        'The leader of the poll average at the end of the quarter decides. Candidates who have not declared by then do not count.',
      subjects: [
        {
          code: 'PRESNOMD',
          name: 'Who will lead the Democratic primary polls',
          field: [
            'Gavin Newsom',
            'Pete Buttigieg',
            'Alexandria Ocasio-Cortez',
            'Kamala Harris',
            'Josh Shapiro',
            'JB Pritzker',
            'Andy Beshear',
            'Gretchen Whitmer',
            'Wes Moore',
            'Jon Ossoff',
          ],
        },
        {
          code: 'PRESNOMR',
          name: 'Who will lead the Republican primary polls',
          field: [
            'JD Vance',
            'Marco Rubio',
            'Donald Trump Jr.',
            'Ron DeSantis',
            'Tucker Carlson',
            'Glenn Youngkin',
            'Nikki Haley',
          ],
        },
      ],
    },
    true,
  ),
  deadlineQuestions(
    {
      ...elections,
      name: 'midterm-after',
      interest: 0.7,
      cadence: { every: 'month', day: 14, hour: 5, life: 60 },
      subjects: [
        { code: 'SPEAKER', name: 'the House elect a new Speaker after the midterm' },
        { code: 'RUNOFF', name: 'a court order a new vote in a midterm contest' },
        { code: 'PARTYSWITCH', name: 'a governor change party' },
        { code: 'SENRETIRE', name: 'a senator elected in a midterm announce a resignation' },
      ],
    },
    [0, 31, 92],
    0.004,
  ),
  deadlineQuestions(
    {
      ...trump,
      name: 'congress',
      theme: 'us-elections',
      topics: [],
      interest: 0.8,
      tags: ['Politics', 'Congress'],
      cadence: { every: 'month', day: 6, hour: 5, life: 80 },
      subjects: [
        { code: 'FILIBUSTER', name: 'the Senate end the filibuster' },
        { code: 'SCOTUSVAC', name: 'a justice leave the Supreme Court' },
        { code: 'SCOTUSCONF', name: 'the Senate confirm a new justice' },
        { code: 'DCSTATE', name: 'the House vote on statehood for Washington DC' },
        { code: 'STOCKBAN', name: 'Congress ban stock trading by its members' },
        { code: 'DSTEND', name: 'Congress end daylight saving time' },
        { code: 'DEBTLIMIT', name: 'Congress raise the debt limit' },
        { code: 'CANNABIS', name: 'the US reschedule cannabis' },
        { code: 'COUNSEL', name: 'the Attorney General appoint a special counsel' },
        { code: 'THIRDPARTY', name: 'a senator leave both parties' },
      ],
    },
    [0, 31, 61, 122],
    0.003,
  ),
]
