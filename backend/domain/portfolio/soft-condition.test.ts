import { expect, it } from 'vitest'
import { softJudgementIn } from './soft-condition.ts'

it.each([
  ['{"met": true, "reason": "so"}', { isMet: true, reason: 'so' }],
  ['```json\n{"met": false, "reason": "a\\n b"}\n```', { isMet: false, reason: 'a b' }],
  [`{"met": false, "reason": "${'x'.repeat(400)}"}`, { isMet: false, reason: 'x'.repeat(300) }],
  ['{"met": "true", "reason": "so"}', null],
  ['{"met": true}', null],
  ['{"met": true, "reason": "so"', null],
  ['}{', null],
  ['[]', null],
  ['yes', null],
])('reads %s', (text, judgement) => {
  expect(softJudgementIn(text)).toEqual(judgement)
})
