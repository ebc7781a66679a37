import { expect, it } from 'vitest'
import { statedPolarity } from './polarity.ts'

it.each([
  ['Xi Jinping will stay in power through 2026', 'Xi Jinping out before 2027?', -1],
  ['Putin will remain president until the end of 2026', 'Putin out by end of 2026?', -1],
  ['Putin will not remain president', 'Putin out by end of 2026?', 1],
  ['Putin will not be out in 2026', 'Putin out by end of 2026?', -1],
  ['Putin will no longer be president', 'Putin out by end of 2026?', 1],
  ['Netanyahu will lose his job', 'Will Netanyahu leave Prime Minister of Israel?', 1],
  ['Republicans will lose the House', 'Will the Republican Party control the House?', -1],
  ['Republicans will keep the House', 'Will the Republican Party win the House?', 1],
  ['Spain will lose the final', 'Will Spain not win the final?', 1],
  ['Bitcoin will stay below $100,000', 'Will Bitcoin reach $100,000 in April?', -1],
  ['Gold will remain above $3,000', 'Will Gold dip to $3,000?', -1],
  ['Bitcoin will stay below $100,000', 'Will Bitcoin stay under $100,000?', null],
  ['Bitcoin will stay below $100,000', 'Will Bitcoin dip to $100,000?', 0],
  ['Bitcoin will stay above $80,000', 'Bitcoin on the last day? - $80,000 or above', null],
  ['Bitcoin will reach $100,000', 'Will Bitcoin be above $100,000 on May 1?', null],
  ['Bitcoin will fall below $50,000', 'Will Bitcoin reach $50,000?', 0],
  ['US GDP growth will be below 1.0%', 'US GDP growth in Q4 2026? - Above 1.0%', -1],
  ['US GDP growth will not be below 1.0%', 'US GDP growth in Q4 2026? - Above 1.0%', 1],
  ['US GDP growth will be above 1.0%', 'US GDP growth in Q4 2026? - Above 1.0%', null],
  ['Crude oil will not be above $57', 'Will Crude oil be above $57.00?', null],
  ['Gold will not reach $6,000', 'Will Gold stay below $6,000?', 1],
  ['Ethereum will fall below $1,000', 'Will Ethereum dip to $1,000?', null],
  ['OpenAI will release GPT-6', 'GPT-6 released?', null],
] as const)('%s: %s', (label, title, polarity) => {
  expect(statedPolarity(label, title)).toBe(polarity)
})
