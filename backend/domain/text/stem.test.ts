import { expect, it } from 'vitest'
import { TITLE_WEIGHTS } from '../pairing/title-weights.ts'
import { stemOf } from './stem.ts'

// The examples of the paper, with the result of the whole algorithm.
const EXAMPLES =
  'caresses caress, ponies poni, ties ti, caress caress, cats cat, feed feed, agreed agre, ' +
  'plastered plaster, bled bled, motoring motor, sing sing, conflated conflat, troubled troubl, ' +
  'sized size, hopping hop, tanned tan, falling fall, hissing hiss, fizzed fizz, failing fail, ' +
  'filing file, happy happi, sky sky, relational relat, conditional condit, rational ration, ' +
  'valenci valenc, digitizer digit, radicalli radic, vileli vile, analogousli analog, ' +
  'vietnamization vietnam, predication predic, operator oper, feudalism feudal, ' +
  'decisiveness decis, hopefulness hope, callousness callous, formaliti formal, ' +
  'sensitiviti sensit, sensibiliti sensibl, triplicate triplic, formative form, ' +
  'formalize formal, electrical electr, goodness good, revival reviv, allowance allow, ' +
  'inference infer, airliner airlin, gyroscopic gyroscop, adjustable adjust, defensible defens, ' +
  'irritant irrit, replacement replac, adjustment adjust, dependent depend, adoption adopt, ' +
  'homologou homolog, communism commun, activate activ, effective effect, bowdlerize bowdler, ' +
  'probate probat, rate rate, cease ceas, controll control, roll roll, is is'

it.each(EXAMPLES.split(', '))('stems %s', (pair) => {
  const [word = '', stem] = pair.split(' ')
  expect(stemOf(word)).toBe(stem)
})

it('maps the forms of a word to one stem', () => {
  expect(new Set(['election', 'elections', 'elected', 'electing'].map(stemOf)).size).toBe(1)
})

it('leaves runs of letters that are not words unchanged', () => {
  const run = 'y'.repeat(100_000)
  expect(stemOf(run)).toBe(run)
})

it('has the stems that the shipped weights of titles are stored by', () => {
  const words = ['technology', 'prices', 'nomination', 'minister']
  expect(words.filter((word) => !TITLE_WEIGHTS.weights.has(stemOf(word)))).toEqual([])
})
