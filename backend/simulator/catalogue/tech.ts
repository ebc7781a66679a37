import { weekly } from './cadence.ts'
import { deadlineQuestions, fieldQuestions } from './questions.ts'
import type { QuestionGroup } from './questions.ts'
import type { Template } from './template.ts'

const ai: QuestionGroup = {
  name: 'best-ai',
  theme: 'ai',
  factorSign: 1,
  topics: ['ai-tech'],
  category: 'Science and Technology',
  tags: ['Tech', 'AI', 'OpenAI'],
  cadence: { every: 'month', day: 30, hour: 17, life: 75 },
  listing: 'both',
  interest: 2.4,
  source: { name: 'LMArena', url: 'https://lmarena.ai' },
  noteA:
    'The leaderboard with style control removed is read at 12 PM ET. Ties are broken by the alphabetical order of the companies.',
  noteB:
    'The company whose model has the highest arena score on the text leaderboard wins, with style control removed.',
  divergentNoteB:
    'The company whose model has the highest arena score on the text leaderboard with style control on wins.',
  subjects: [
    {
      code: 'TOPAI',
      name: 'Which company has the best AI model',
      field: ['Google', 'OpenAI', 'Anthropic', 'xAI', 'DeepSeek', 'Meta', 'Mistral'],
    },
    {
      code: 'CODEAI',
      name: 'Which company has the best coding AI',
      field: ['Anthropic', 'OpenAI', 'Google', 'xAI', 'Alibaba'],
    },
  ],
}
const largest: QuestionGroup = {
  ...ai,
  name: 'largest-company',
  category: 'Financials',
  tags: ['Finance', 'AI', 'Stocks', 'Tech'],
  source: { name: 'Nasdaq', url: 'https://www.nasdaq.com' },
  noteA:
    'Market capitalisation is read at 12 PM ET. Ties are broken by the alphabetical order of the companies.',
  noteB: 'The company with the largest market capitalisation at 12 PM ET wins.',
  divergentNoteB:
    'The company with the largest market capitalisation at the close of trading wins.',
  subjects: [
    {
      code: 'LARGECAP',
      name: 'Which company is the largest in the world',
      field: ['Nvidia', 'Alphabet', 'Apple', 'Microsoft', 'Amazon', 'Tesla'],
    },
  ],
}
export const TECH: readonly Template[] = [
  fieldQuestions(ai, true),
  fieldQuestions(largest, true),
  {
    name: 'stock-close',
    theme: 'ai',
    factorSign: 1,
    topics: ['ai-tech'],
    listing: 'both',
    interest: 1,
    series: {
      ticker: 'KX{code}W',
      title: '{name} stock close',
      category: 'Financials',
      frequency: 'weekly',
      tags: ['Stocks', 'Tech'],
      source: { name: 'Nasdaq', url: 'https://www.nasdaq.com' },
    },
    tags: ['Finance', 'Stocks', 'Tech'],
    cadence: weekly(5, 21, 11),
    subjects: [
      { code: 'NVDA', name: 'Nvidia', base: 196, dailyMove: 0.024, step: 5 },
      { code: 'TSLA', name: 'Tesla', base: 418, dailyMove: 0.031, step: 10 },
      { code: 'AAPL', name: 'Apple', base: 268, dailyMove: 0.014, step: 5 },
    ],
    shape: { kind: 'above', strikes: 5, geometric: true, hasOwnPath: false },
    titleA: (s, d) => `${s.name} closing price on ${d.short}?`,
    titleB: (s, d) => `${s.name} closes above ___ on ${d.monthDay}?`,
    questionB: (s, d, c) =>
      `Will ${s.name} (${s.code}) close ${c.label.toLowerCase()} on ${d.monthDay}?`,
    clause: (s, d, c) =>
      `the official closing price of ${s.name} (${s.code}) on ${d.short} is ${c.label.toLowerCase()}`,
    label: (value) => `Above $${Math.round(value)}`,
    noteA: 'Prices are adjusted for splits after issuance.',
    noteB: 'Pre-market and after-hours trading are not considered.',
  },
  deadlineQuestions(
    {
      ...ai,
      name: 'ai-release',
      noteA: 'The statement of the company or the body concerned decides.',
      noteB: 'A consensus of credible reporting will suffice.',
      divergentNoteB:
        'A consensus of credible reporting will suffice. Releases to testers or to a closed group do not qualify.',
      interest: 1.3,
      cadence: { every: 'month', day: 8, hour: 5, life: 70 },
      subjects: [
        { code: 'GPT6', name: 'OpenAI release GPT-6' },
        { code: 'GEMINI4', name: 'Google release Gemini 4' },
        { code: 'CLAUDE5', name: 'Anthropic announce an IPO' },
        { code: 'AGI', name: 'OpenAI announce that it has achieved AGI' },
        { code: 'TESLAFSD', name: 'Tesla launch unsupervised driving in California' },
        { code: 'APPLEFOLD', name: 'Apple release a foldable iPhone' },
        { code: 'CHIPS', name: 'the US approve Nvidia semiconductor exports of the newest kind' },
        { code: 'AIBILL', name: 'Congress pass an AI moratorium' },
      ],
    },
    [0, 31, 92, 184],
    0.005,
  ),
  deadlineQuestions(
    {
      ...ai,
      name: 'ipo',
      topics: [],
      category: 'Companies',
      tags: ['Business', 'IPOs'],
      interest: 0.8,
      cadence: { every: 'month', day: 27, hour: 5, life: 85 },
      source: { name: 'Securities and Exchange Commission', url: 'https://www.sec.gov' },
      noteA: 'A public filing of a prospectus is required.',
      noteB: 'A public filing or a consensus of credible reporting will suffice.',
      divergentNoteB:
        'A public filing or a consensus of credible reporting will suffice. Confidential filings, direct listings and mergers do not qualify.',
      subjects: [
        'Stripe',
        'Databricks',
        'SpaceX',
        'Canva',
        'Revolut',
        'Discord',
        'Anduril',
        'Shein',
        'Cerebras',
        'Ramp',
        'Epic Games',
        'Kraken',
      ].map((name) => ({
        code: `IPO${name.toUpperCase().replaceAll(' ', '')}`,
        name: `${name} file for an IPO`,
      })),
    },
    [0, 31, 92, 184],
    0.003,
  ),
  deadlineQuestions(
    {
      ...ai,
      name: 'space',
      theme: 'space',
      topics: [],
      tags: ['Tech', 'Space'],
      interest: 0.6,
      cadence: { every: 'month', day: 17, hour: 5, life: 80 },
      source: { name: 'NASA', url: 'https://www.nasa.gov' },
      noteA: 'The statement of the operator decides.',
      noteB: 'A consensus of credible reporting will suffice.',
      divergentNoteB:
        'A consensus of credible reporting will suffice. Attempts that end in the loss of the vehicle do not count.',
      subjects: [
        { code: 'STARSHIPCATCH', name: 'SpaceX catch a Starship upper stage' },
        { code: 'ARTEMIS3', name: 'NASA launch Artemis III' },
        { code: 'MOONLAND', name: 'a private lander touch down on the Moon' },
        { code: 'NEWGLENN', name: 'Blue Origin launch New Glenn again' },
        { code: 'CHINAMOON', name: 'a Chinese crew fly around the Moon' },
        { code: 'ISSLEAK', name: 'a crew leave the space station early' },
      ],
    },
    [0, 31, 61, 122],
    0.005,
  ),
]
