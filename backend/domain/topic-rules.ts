import type { TopicRule } from './topic-matcher.ts'

/** Topics of the world tree. */
export type Topic =
  | 'iran'
  | 'oil'
  | 'fed-rate'
  | 'recession'
  | 'election-2026'
  | 'bitcoin'
  | 'ukraine'
  | 'china'
  | 'trump'
  | 'ai-tech'
/** Groups of the world tree. */
export type TopicGroup = 'geopolitics' | 'economy' | 'energy' | 'crypto' | 'tech' | 'politics'
/** Topics that the market lists take besides those of the tree. */
export type ListTopic = 'energy' | 'rates' | 'fx' | 'equities' | 'crypto' | 'volatility'

/** The children of the root in their order, which is the order of `MarketRow.topics`. */
export const TOPICS: readonly Topic[] = [
  'iran',
  'oil',
  'fed-rate',
  'recession',
  'election-2026',
  'bitcoin',
  'ukraine',
  'china',
  'trump',
  'ai-tech',
]
export const LIST_TOPICS: readonly ListTopic[] = [
  'energy',
  'rates',
  'fx',
  'equities',
  'crypto',
  'volatility',
]
export const TOPIC_LABELS: Readonly<Record<Topic | TopicGroup | ListTopic, string>> = {
  iran: 'Iran',
  oil: 'Oil',
  'fed-rate': 'Fed rate',
  recession: 'Recession',
  'election-2026': 'Election 2026',
  bitcoin: 'Bitcoin',
  ukraine: 'Ukraine',
  china: 'China',
  trump: 'Trump',
  'ai-tech': 'AI and tech',
  geopolitics: 'Geopolitics',
  economy: 'Economy',
  energy: 'Energy',
  crypto: 'Crypto',
  tech: 'Tech',
  politics: 'Politics',
  rates: 'Rates',
  fx: 'Currencies',
  equities: 'Equities',
  volatility: 'Volatility',
}
/** Groups and their topics in tree order. */
export const TOPIC_GROUPS: Readonly<Record<TopicGroup, readonly Topic[]>> = {
  geopolitics: ['iran', 'ukraine', 'china'],
  economy: ['fed-rate', 'recession'],
  energy: ['oil'],
  crypto: ['bitcoin'],
  tech: ['ai-tech'],
  politics: ['trump', 'election-2026'],
}
const OIL = ['oil', 'wti', 'brent', 'opec', 'gasoline', 'natural gas', 'crude']
const FED = [
  'fed',
  'fomc',
  'federal reserve',
  'rate cut',
  'rate hike',
  'fed funds',
  'dot plot',
  'powell',
  'basis points',
]
const COINS = ['bitcoin', 'btc', 'ethereum', 'eth', 'solana', 'crypto', 'xrp']

/** Keywords of the tree's topics, methodology C6. */
export const TOPIC_RULES: Readonly<Record<Topic, TopicRule>> = {
  iran: { keywords: ['iran', 'tehran', 'hormuz', 'irgc', 'khamenei'] },
  oil: { keywords: OIL, stops: ['olive oil'] },
  'fed-rate': { keywords: FED, stops: ['fed up', 'fedex'] },
  recession: {
    keywords: ['recession', 'gdp', 'unemployment', 'payroll', 'cpi', 'pce', 'inflation', 'jobless'],
  },
  'election-2026': {
    keywords: [
      '2026 election',
      'midterm',
      'house race',
      'senate race',
      'governor',
      'control of the house',
      'control of the senate',
      'control of house',
      'control of senate',
    ],
    paired: [{ keyword: 'primary', with: '2026' }],
  },
  bitcoin: { keywords: COINS },
  ukraine: { keywords: ['ukraine', 'russia', 'putin', 'zelensky', 'kyiv', 'donbas', 'crimea'] },
  china: { keywords: ['china', 'taiwan', 'xi jinping', 'beijing', 'pla'] },
  trump: { keywords: ['trump', 'white house', 'executive order'] },
  'ai-tech': {
    keywords: [
      'ai',
      'openai',
      'anthropic',
      'gpt',
      'nvidia',
      'gemini',
      'agi',
      'semiconductor',
      'tesla',
      'apple',
    ],
  },
}

/** Keywords of the further list topics: the words that name the traded thing itself. */
export const LIST_TOPIC_RULES: Readonly<Record<ListTopic, TopicRule>> = {
  energy: {
    keywords: [
      ...OIL,
      'energy',
      'lng',
      'coal',
      'uranium',
      'electricity',
      'power grid',
      'gas price',
    ],
    stops: ['olive oil'],
  },
  rates: {
    keywords: [
      ...FED,
      'interest rate',
      'treasury yield',
      '10 year yield',
      '2 year yield',
      'mortgage rate',
      'sofr',
      'ecb',
      'boj',
      'bank of england',
      'bank of japan',
    ],
    stops: ['fed up', 'fedex'],
  },
  fx: {
    keywords: [
      'fx',
      'forex',
      'exchange rate',
      'eur usd',
      'eurusd',
      'usd jpy',
      'usdjpy',
      'gbp usd',
      'gbpusd',
      'dollar index',
      'dxy',
      'yen',
      'yuan',
      'rupee',
      'peso',
      'lira',
      'ruble',
    ],
  },
  equities: {
    keywords: [
      's p 500',
      'sp500',
      'spx',
      'nasdaq',
      'ndx',
      'dow jones',
      'russell 2000',
      'nikkei',
      'dax',
      'ftse',
      'stock',
      'ipo',
      'market cap',
      'earnings',
      'nvidia',
      'tesla',
    ],
    stops: ['stock up on'],
  },
  crypto: {
    keywords: [...COINS, 'dogecoin', 'doge', 'stablecoin', 'usdt', 'usdc', 'defi', 'nft', 'bnb'],
  },
  volatility: { keywords: ['volatility', 'vix'] },
}
