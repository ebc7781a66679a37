import { weekly } from './cadence.ts'
import { formatGrouped } from './template.ts'
import type { Subject, Template } from './template.ts'

const COINS: readonly Subject[] = [
  { code: 'BTC', name: 'Bitcoin', base: 96_000, dailyMove: 0.021, step: 2_000 },
  { code: 'ETH', name: 'Ethereum', base: 3_300, dailyMove: 0.029, step: 100 },
  { code: 'SOL', name: 'Solana', base: 158, dailyMove: 0.035, step: 10 },
  { code: 'XRP', name: 'XRP', base: 2.3, dailyMove: 0.034, step: 0.1 },
]
const dollars = (value: number): string =>
  value < 20 ? `$${value.toFixed(2)}` : `$${formatGrouped(Math.round(value))}`
const INDEX = { name: 'CF Benchmarks', url: 'https://www.cfbenchmarks.com/data/indices' }

export const CRYPTO: readonly Template[] = [
  {
    name: 'coin-close',
    series: {
      ticker: 'KX{code}D',
      title: '{name} price',
      category: 'Crypto',
      frequency: 'weekly',
      tags: ['{code}', 'Crypto'],
      source: INDEX,
    },
    theme: 'crypto',
    factorSign: 1,
    topics: ['bitcoin'],
    tags: ['Crypto', '{name}', 'Crypto Prices'],
    cadence: weekly(5, 22, 8),
    subjects: COINS,
    listing: 'both',
    interest: 2.2,
    shape: { kind: 'above', strikes: 7, geometric: true, hasOwnPath: false },
    titleA: (s, d) => `${s.name} price on ${d.short}?`,
    titleB: (s, d) => `${s.name} above ___ on ${d.monthDay}?`,
    questionB: (s, d, c) =>
      `Will the price of ${s.name} be above ${c.label.replace(' or above', '')} on ${d.monthDay}?`,
    clause: (s, d, c) => `the price of ${s.name} is ${c.label} at 5 PM ET on ${d.short}`,
    label: (value) => `${dollars(value)} or above`,
    noteA:
      'The price used is the simple average of the sixty seconds of the Real-Time Index before the stated time. Outages of the index provider extend the expiration by up to one week.',
    noteB:
      'The market refers to the Binance 1 minute candle for the coin against USDT at the stated time, specified by its final "Close" price. Prices from other exchanges are not considered.',
    notesDiffer: true,
  },
  {
    name: 'coin-range',
    series: {
      ticker: 'KX{code}',
      title: '{name} price range',
      category: 'Crypto',
      frequency: 'daily',
      tags: ['{code}', 'Hourly'],
      source: INDEX,
    },
    theme: 'crypto',
    factorSign: 1,
    topics: ['bitcoin'],
    tags: ['Crypto', '{name}'],
    cadence: { every: 'days', step: 5, phase: 1, hour: 17, life: 2 },
    subjects: COINS.slice(0, 2),
    listing: 'a',
    interest: 1.3,
    shape: { kind: 'between', strikes: 8, geometric: true, hasOwnPath: false },
    titleA: (s, d) => `${s.name} range at 12 PM EST on ${d.short}?`,
    titleB: (s, d) => `${s.name} price on ${d.monthDay}?`,
    questionB: (s, d, c) => `Will the price of ${s.name} be ${c.label} on ${d.monthDay}?`,
    clause: (s, d, c) => `the price of ${s.name} is ${c.label} at 12 PM EST on ${d.short}`,
    label: dollars,
    noteA:
      'The lower bound is part of the range, the upper bound is not. The sixty second average of the Real-Time Index before noon is used.',
    noteB: 'Noon in Eastern Time, Binance 1 minute candle, "Close".',
    notesDiffer: true,
  },
  {
    name: 'coin-updown',
    series: {
      ticker: 'KX{code}15M',
      title: '{name} up or down',
      category: 'Crypto',
      frequency: 'daily',
      tags: ['{code}'],
      source: INDEX,
    },
    theme: 'crypto',
    factorSign: 1,
    topics: ['bitcoin'],
    tags: ['Crypto', '{name}', 'Recurring'],
    cadence: { every: 'days', step: 3, phase: 2, hour: 17, life: 2 },
    subjects: COINS,
    listing: 'b',
    interest: 0.8,
    shape: { kind: 'single', bias: 0 },
    titleA: (s, d) => `${s.name} up or down on ${d.short}?`,
    titleB: (s, d) => `${s.name} Up or Down on ${d.monthDay}?`,
    questionB: (s, d) => `${s.name} Up or Down on ${d.monthDay}?`,
    clause: (s, d) =>
      `the price of ${s.name} at noon ET on ${d.short} is not below its price at noon ET of the day before`,
    noteA: 'Both prices are index values.',
    noteB:
      'This market is about the price according to the Chainlink data stream, not according to other sources or spot markets.',
    notesDiffer: true,
  },
  {
    name: 'coin-year-high',
    series: {
      ticker: 'KX{code}MAXY',
      title: 'How high will {name} get this year',
      category: 'Crypto',
      frequency: 'annual',
      tags: ['{code}'],
      source: INDEX,
    },
    theme: 'crypto',
    factorSign: 1,
    topics: ['bitcoin'],
    tags: ['Crypto', '{name}', 'Hit Price'],
    cadence: { every: 'year', month: 11, day: 31, hour: 24, life: 190 },
    subjects: COINS,
    listing: 'both',
    interest: 2,
    shape: { kind: 'above', strikes: 8, geometric: true, hasOwnPath: false },
    titleA: (s, d) => `Where will ${s.name} close on the last day of ${d.year}?`,
    titleB: (s, d) => `What price will ${s.name} hit in ${d.year}?`,
    questionB: (s, d, c) =>
      `Will ${s.name} reach ${c.label.replace(' or above', '')} by December 31, ${d.year}?`,
    clause: (s, d, c) =>
      `the price of ${s.name} is ${c.label} at 11:59 PM ET on December 31, ${d.year}`,
    label: (value) => `${dollars(value)} or above`,
    noteA: 'Only the value at the stated time counts; a higher value earlier in the year does not.',
    noteB:
      'Any 1 minute candle between the listing of this market and the end of the year whose final "High" price reaches the threshold resolves this market to "Yes" at once.',
    notesDiffer: true,
  },
  {
    name: 'crypto-deadline',
    series: {
      ticker: 'KX{code}',
      title: '{name}',
      category: 'Crypto',
      frequency: 'custom',
      tags: ['Regulation'],
      source: { name: 'The New York Times', url: 'https://www.nytimes.com' },
    },
    theme: 'crypto',
    factorSign: 1,
    topics: ['bitcoin'],
    tags: ['Crypto', 'Policy'],
    cadence: { every: 'quarter', hour: 29, life: 120 },
    listing: 'both',
    interest: 0.8,
    subjects: [
      { code: 'BTCRESERVE', name: 'the United States buy Bitcoin for its strategic reserve' },
      { code: 'CRYPTOSTRUCTURE', name: 'the crypto market structure bill become law' },
      { code: 'SOLETFSTAKE', name: 'the SEC approve a staking Solana ETF' },
      { code: 'STABLEBANK', name: 'a crypto firm receive a national bank charter' },
    ],
    shape: { kind: 'deadline', after: [0, 31, 61, 92], hazardPerDay: 0.004 },
    titleA: (s) => `When will ${s.name}?`,
    titleB: (s) => `Will ${s.name} by...?`,
    questionB: (s, d, c) => `Will ${s.name} by ${c.deadline?.short ?? d.short}?`,
    clause: (s, d, c) =>
      `the following happens before 11:59 PM ET on ${c.deadline?.short ?? d.short}: will ${s.name}`,
    noteA:
      'Announcements of intent do not count. The Outcome Review Committee may consult several of the source agencies when reports conflict.',
    noteB: 'A consensus of credible reporting will suffice.',
  },
]
