import { weekly } from './cadence.ts'
import { deadlineQuestions } from './questions.ts'
import type { Template } from './template.ts'

const BLS = { name: 'Bureau of Labor Statistics', url: 'https://www.bls.gov' }
const FED = { name: 'Federal Reserve', url: 'https://www.federalreserve.gov' }
const percent = (value: number): string =>
  `${value.toFixed(value * 10 === Math.round(value * 10) ? 1 : 2)}%`
const figure = { theme: 'economy', listing: 'both', tags: ['Economy', 'Macro Indicators'] } as const

export const ECONOMY: readonly Template[] = [
  {
    name: 'fed-decision',
    theme: 'rates',
    factorSign: 1,
    topics: ['fed-rate'],
    listing: 'both',
    interest: 4,
    series: {
      ticker: 'KXFEDDECISION',
      title: 'Fed meeting decision',
      category: 'Economics',
      frequency: 'custom',
      tags: ['Fed', 'Interest rates'],
      source: FED,
    },
    tags: ['Economy', 'Fed', 'Fed Rates', 'Jerome Powell'],
    cadence: { every: 'meeting', hour: 19, life: 130 },
    subjects: [
      {
        code: 'FED',
        name: 'Fed',
        field: ['Hike 0bps', 'Cut 25bps', 'Cut >25bps', 'Hike 25bps', 'Hike >25bps'],
      },
    ],
    shape: { kind: 'field', otherWins: false },
    titleA: (_, d) => `Fed decision in ${d.month}?`,
    titleB: (_, d) => `Fed decision in ${d.monthDay.split(' ')[0] ?? ''}?`,
    questionB: (_, d, c) => `Will the Fed's decision after its ${d.month} meeting be: ${c.label}?`,
    clause: (_, d, c) =>
      `the Federal Reserve does a ${c.label} at its meeting that ends on ${d.short}`,
    noteA:
      'If the Federal Reserve decides between meetings, that decision does not count. The upper bound of the target federal funds range is compared with its level before the meeting.',
    noteB:
      'Changes that are no multiple of 25 basis points are rounded up to the next. The resolution source is the FOMC statement after the meeting; a decision between meetings does not count.',
    divergentNoteB:
      'The resolution source is the FOMC statement after the meeting. Changes of the interest on reserve balances alone do not count, nor do changes that take effect later than the day after.',
  },
  {
    name: 'fed-level',
    theme: 'rates',
    factorSign: -1,
    topics: ['fed-rate'],
    listing: 'a',
    interest: 1.5,
    series: {
      ticker: 'KXFED',
      title: 'Fed funds rate',
      category: 'Economics',
      frequency: 'custom',
      tags: ['Fed'],
      source: FED,
    },
    tags: ['Economy', 'Fed Rates'],
    cadence: { every: 'meeting', hour: 19, life: 180 },
    subjects: [{ code: 'FED', name: 'federal funds rate', base: 3.6, dailyMove: 0.02, step: 0.25 }],
    shape: { kind: 'above', strikes: 9, geometric: false, hasOwnPath: false },
    titleA: (_, d) => `What will the Fed funds rate be after the ${d.month} meeting?`,
    titleB: (_, d) => `Fed funds rate after the ${d.month} meeting?`,
    questionB: (_, d, c) => `Will the Fed funds rate be ${c.label} after the ${d.month} meeting?`,
    clause: (_, d, c) =>
      `the upper bound of the federal funds rate is ${c.label} following the meeting of ${d.short}`,
    label: (value) => `Above ${value.toFixed(2)}%`,
    noteA: 'Rates set in between meetings count once they are in force on the stated day.',
    noteB: 'FOMC statement.',
  },
  {
    ...figure,
    name: 'cpi-year',
    factorSign: 1,
    topics: ['recession'],
    interest: 2,
    series: {
      ticker: 'KX{code}YOY',
      title: 'Inflation',
      category: 'Economics',
      frequency: 'monthly',
      tags: ['Inflation'],
      source: BLS,
    },
    cadence: { every: 'month', day: 12, hour: 13, life: 42 },
    subjects: [
      { code: 'CPI', name: 'CPI inflation', base: 2.9, dailyMove: 0.025, step: 0.1 },
      { code: 'CPICORE', name: 'core CPI inflation', base: 3.1, dailyMove: 0.02, step: 0.1 },
      { code: 'PCECORE', name: 'core PCE inflation', base: 2.8, dailyMove: 0.02, step: 0.1 },
    ],
    shape: { kind: 'above', strikes: 6, geometric: false, hasOwnPath: true },
    titleA: (s, d) => `${capital(s.name)} in the year ending ${d.previousMonth}?`,
    titleB: (s, d) => `${d.previousMonth.split(' ')[0] ?? ''} ${s.name} year over year`,
    questionB: (s, d, c) =>
      `Will annual ${s.name} in ${d.previousMonth} be ${c.label.toLowerCase()}?`,
    clause: (s, d, c) =>
      `${s.name} increases by ${c.label.toLowerCase()} in the twelve months ending ${d.previousMonth}`,
    label: (value) => `Above ${percent(value)}`,
    noteA:
      'The initial release, not seasonally adjusted, rounded to one decimal by the agency, is used; revisions made after expiration are not.',
    noteB:
      'The figure is taken from the first published table of the agency. If no data is released by the end of the following month, the latest previous figure decides.',
  },
  {
    ...figure,
    name: 'jobs',
    factorSign: -1,
    topics: ['recession'],
    interest: 1.5,
    series: {
      ticker: 'KXPAYROLLS',
      title: 'Jobs numbers',
      category: 'Economics',
      frequency: 'monthly',
      tags: ['Jobs', 'Employment'],
      source: BLS,
    },
    cadence: { every: 'month', day: 4, hour: 13, life: 35 },
    subjects: [
      { code: 'PAYROLLS', name: 'nonfarm payroll change', base: 80, dailyMove: 11, step: 25 },
    ],
    shape: { kind: 'between', strikes: 6, geometric: false, hasOwnPath: true },
    titleA: (_, d) => `How many jobs will the payroll report show for ${d.previousMonth}?`,
    titleB: (_, d) =>
      `How many jobs added in ${d.previousMonth.split(' ')[0] ?? ''}? (payroll report)`,
    questionB: (_, d, c) =>
      `Will the payroll report show ${c.label} jobs added in ${d.previousMonth}?`,
    clause: (_, d, c) =>
      `the employment situation report shows a change of ${c.label} in total nonfarm payrolls for ${d.previousMonth}`,
    label: (value) => `${Math.round(value)}k`,
    noteA: 'Seasonally adjusted, first release, in thousands.',
    noteB: 'Only the first release counts.',
  },
  {
    ...figure,
    name: 'unemployment',
    factorSign: 1,
    topics: ['recession'],
    interest: 0.9,
    series: {
      ticker: 'KXU3',
      title: 'Unemployment rate',
      category: 'Economics',
      frequency: 'monthly',
      tags: ['Jobs'],
      source: BLS,
    },
    cadence: { every: 'month', day: 4, hour: 13, life: 40 },
    subjects: [{ code: 'U3', name: 'unemployment rate', base: 4.4, dailyMove: 0.018, step: 0.1 }],
    shape: { kind: 'above', strikes: 6, geometric: false, hasOwnPath: true },
    titleA: (_, d) => `Unemployment rate in ${d.previousMonth}?`,
    titleB: (_, d) => `What will the ${d.previousMonth} unemployment rate be?`,
    questionB: (_, d, c) =>
      `Will the unemployment rate for ${d.previousMonth} be ${c.label.toLowerCase()}?`,
    clause: (_, d, c) =>
      `the U-3 unemployment rate for ${d.previousMonth} is ${c.label.toLowerCase()}`,
    label: (value) => `Above ${percent(value)}`,
    noteA: 'Seasonally adjusted.',
    noteB: 'Seasonally adjusted U-3 as first published.',
  },
  {
    ...figure,
    name: 'jobless',
    factorSign: 1,
    topics: ['recession'],
    interest: 0.6,
    listing: 'a',
    series: {
      ticker: 'KXJOBLESSCLAIMS',
      title: 'Jobless claims',
      category: 'Economics',
      frequency: 'weekly',
      tags: ['Jobs'],
      source: { name: 'Department of Labor', url: 'https://www.dol.gov' },
    },
    cadence: weekly(4, 14, 9),
    subjects: [
      { code: 'JOBLESS', name: 'initial jobless claims', base: 224, dailyMove: 3.4, step: 5 },
    ],
    shape: { kind: 'above', strikes: 5, geometric: false, hasOwnPath: true },
    titleA: (_, d) => `Initial jobless claims in the report of ${d.short}?`,
    titleB: (_, d) => `Jobless claims on ${d.monthDay}?`,
    questionB: (_, d, c) => `Will jobless claims be ${c.label.toLowerCase()} on ${d.monthDay}?`,
    clause: (_, d, c) =>
      `initial jobless claims in the report published on ${d.short} are ${c.label.toLowerCase()}`,
    label: (value) => `At least ${Math.round(value)},000`,
    noteA: 'The advance figure, seasonally adjusted.',
    noteB: 'The advance figure.',
  },
  {
    ...figure,
    name: 'gdp',
    factorSign: -1,
    topics: ['recession'],
    interest: 1,
    series: {
      ticker: 'KXGDP',
      title: 'US GDP growth',
      category: 'Economics',
      frequency: 'quarterly',
      tags: ['Growth'],
      source: { name: 'Bureau of Economic Analysis', url: 'https://www.bea.gov' },
    },
    cadence: { every: 'quarter', hour: 13, life: 110 },
    subjects: [{ code: 'GDP', name: 'real GDP growth', base: 2.2, dailyMove: 0.09, step: 0.5 }],
    shape: { kind: 'above', strikes: 7, geometric: false, hasOwnPath: true },
    titleA: (_, d) => `US GDP growth in ${d.quarter}?`,
    titleB: (_, d) => `US GDP growth in ${d.quarter}?`,
    questionB: (_, d, c) => `Will US GDP growth in ${d.quarter} be ${c.label.toLowerCase()}?`,
    clause: (_, d, c) =>
      `real GDP increases at an annual rate of ${c.label.toLowerCase()} in ${d.quarter}`,
    label: (value) => `Above ${percent(value)}`,
    noteA: 'The advance estimate is used.',
    noteB: 'The advance estimate of the BEA is used.',
    divergentNoteB:
      'The latest estimate available at the end of the following quarter is used: the third estimate decides.',
  },
  deadlineQuestions(
    {
      name: 'recession',
      theme: 'economy',
      factorSign: 1,
      topics: ['recession'],
      category: 'Economics',
      tags: ['Economy', 'Recession'],
      cadence: { every: 'quarter', hour: 29, life: 150 },
      listing: 'both',
      interest: 1.3,
      source: { name: 'National Bureau of Economic Research', url: 'https://www.nber.org' },
      subjects: [
        { code: 'RECSSN', name: 'the NBER declare a US recession' },
        { code: 'GDPNEG', name: 'US GDP fall in two consecutive quarters' },
        { code: 'UERISE', name: 'the unemployment rate reach 5%' },
      ],
      noteA:
        'Two consecutive quarters of negative growth are sufficient only where the question says so.',
      noteB: 'The advance estimates of the BEA are used.',
    },
    [0, 184],
    0.0015,
  ),
  deadlineQuestions(
    {
      name: 'fed-people',
      theme: 'rates',
      factorSign: 1,
      topics: ['fed-rate'],
      category: 'Economics',
      tags: ['Economy', 'Fed', 'Politics'],
      cadence: { every: 'month', day: 25, hour: 5, life: 90 },
      listing: 'both',
      interest: 0.8,
      source: FED,
      subjects: [
        { code: 'POWELLOUT', name: 'Powell leave the Board of Governors of the Federal Reserve' },
        { code: 'FEDEMERG', name: 'the Fed announce an emergency rate cut' },
        { code: 'FEDHIKE', name: 'the Fed announce a rate hike' },
      ],
      noteA: 'The effective date, not the announcement, decides.',
      noteB: 'The day on which it takes effect decides; an announcement alone is not enough.',
      divergentNoteB: 'An announcement by the deadline is enough, whatever its effective date.',
    },
    [0, 31, 61, 122],
    0.0025,
  ),
]

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
