import { weekly } from './cadence.ts'
import { deadlineQuestions } from './questions.ts'
import type { Template } from './template.ts'

const EIA = { name: 'Energy Information Administration', url: 'https://www.eia.gov' }
const barrel = (value: number): string => `$${value.toFixed(2)}`

export const ENERGY: readonly Template[] = [
  {
    name: 'oil-close',
    theme: 'middle-east',
    factorSign: 1,
    topics: ['oil'],
    listing: 'both',
    interest: 1.4,
    series: {
      ticker: 'KX{code}W',
      title: '{name} oil price',
      category: 'Financials',
      frequency: 'weekly',
      tags: ['Oil', 'Commodities'],
      source: { name: 'CME Group', url: 'https://www.cmegroup.com' },
    },
    tags: ['Finance', 'Oil', 'Commodities'],
    cadence: weekly(5, 20, 8),
    subjects: [
      { code: 'WTI', name: 'WTI', base: 62, dailyMove: 0.019, step: 1 },
      { code: 'BRENT', name: 'Brent', base: 66, dailyMove: 0.018, step: 1 },
      { code: 'NATGAS', name: 'Natural gas', base: 4.1, dailyMove: 0.033, step: 0.1 },
    ],
    shape: { kind: 'above', strikes: 6, geometric: true, hasOwnPath: false },
    titleA: (s, d) => `${s.name} price on ${d.short}?`,
    titleB: (s, d) => `${s.name} front month settles at ___ on ${d.monthDay}?`,
    questionB: (s, d, c) => `Will ${s.name} settle ${c.label.toLowerCase()} on ${d.monthDay}?`,
    clause: (s, d, c) =>
      `the front month ${s.name} futures settle ${c.label.toLowerCase()} on ${d.short}`,
    label: (value) => `Above ${barrel(value)}`,
    noteA:
      'The settlement price of the most active contract is used. If the exchange is closed, the next trading day counts.',
    noteB:
      'The official settlement price published by the exchange is used, not the last trade. If the exchange is closed, the next trading day counts.',
    divergentNoteB:
      'The official settlement price published by the exchange is used, not the last trade. If the exchange is closed on the day, the market resolves by the previous trading day.',
  },
  {
    name: 'gasoline',
    theme: 'middle-east',
    factorSign: 1,
    topics: ['oil'],
    listing: 'a',
    interest: 0.8,
    series: {
      ticker: 'KXAAAGAS{code}',
      title: 'US gasoline price',
      category: 'Economics',
      frequency: 'weekly',
      tags: ['Gasoline', 'Energy'],
      source: { name: 'AAA', url: 'https://gasprices.aaa.com' },
    },
    tags: ['Economy', 'Energy'],
    cadence: weekly(1, 15, 10),
    subjects: [
      { code: 'W', name: 'gasoline', base: 3.12, dailyMove: 0.0035, step: 0.02 },
      { code: 'CA', name: 'California gasoline', base: 4.62, dailyMove: 0.004, step: 0.05 },
    ],
    shape: { kind: 'above', strikes: 6, geometric: true, hasOwnPath: false },
    titleA: (s, d) => `Average ${s.name} price on ${d.short}?`,
    titleB: (s, d) => `${s.name} price on ${d.monthDay}?`,
    questionB: (s, d, c) => `Will ${s.name} cost ${c.label.toLowerCase()} on ${d.monthDay}?`,
    clause: (s, d, c) =>
      `the average price of regular ${s.name} is ${c.label.toLowerCase()} on ${d.short}`,
    label: (value) => `Above $${value.toFixed(3)}`,
    noteA: 'The value shown at 10 AM ET is used, to three decimals.',
    noteB: 'AAA.',
  },
  {
    name: 'oil-month',
    theme: 'middle-east',
    factorSign: 1,
    topics: ['oil'],
    listing: 'b',
    interest: 1.5,
    series: {
      ticker: 'KX{code}MAX',
      title: 'Crude oil monthly range',
      category: 'Financials',
      frequency: 'monthly',
      tags: ['Oil'],
      source: EIA,
    },
    tags: ['Finance', 'Oil', 'Hit Price'],
    cadence: { every: 'month', day: 30, hour: 21, life: 34 },
    subjects: [
      { code: 'CRUDE', figure: 'WTI', name: 'Crude oil', base: 62, dailyMove: 0.019, step: 3 },
    ],
    shape: { kind: 'above', strikes: 8, geometric: true, hasOwnPath: false },
    titleA: (s, d) => `${s.name} in ${d.month}?`,
    titleB: (s, d) => `What will ${s.name} end ${d.month} at?`,
    questionB: (s, d, c) =>
      `Will ${s.name} (CL) be ${c.label.toLowerCase()} at the end of ${d.month}?`,
    clause: (s, d, c) =>
      `the last official settlement price of ${s.name} in ${d.month} is ${c.label.toLowerCase()}`,
    label: (value) => `Above ${barrel(value)}`,
    noteA: 'EIA.',
    noteB: 'The active month of the CME light sweet contract is used.',
  },
  deadlineQuestions(
    {
      name: 'opec',
      theme: 'middle-east',
      factorSign: 1,
      topics: ['oil'],
      category: 'World',
      tags: ['Geopolitics', 'Oil', 'OPEC'],
      cadence: { every: 'month', day: 10, hour: 5, life: 60 },
      listing: 'both',
      interest: 0.7,
      source: { name: 'OPEC', url: 'https://www.opec.org' },
      subjects: [
        { code: 'OPECCUT', name: 'OPEC+ announce an oil production cut' },
        { code: 'OPECEXIT', name: 'a member announce its exit from OPEC' },
        { code: 'SPRFILL', name: 'the US refill its oil reserve above 450 million barrels' },
        { code: 'OILEMBARGO', name: 'the EU ban all crude imports from Russia' },
      ],
      noteA: 'A communiqué of the organisation is required.',
      noteB: 'A consensus of credible reporting will suffice.',
    },
    [0, 31, 61, 122],
    0.004,
  ),
]
