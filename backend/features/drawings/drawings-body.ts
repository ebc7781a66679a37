import type { ChartDrawing } from '../../contract/charts/drawings.ts'
import { SPAN_KINDS } from '../../domain/chart-spans.ts'
import { canonicalTicker } from '../../domain/market.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { InvalidInput } from '../../lib/errors.ts'

const MAX_DRAWINGS = 50
const MAX_TICKER_LENGTH = 120
const MAX_ID_LENGTH = 200
const MAX_TEXT_LENGTH = 120
/** The last second of the year 9999, which a chart can still show. */
const MAX_SECONDS = 253_402_300_799
const KINDS = ['level', ...SPAN_KINDS, 'text'] as const

/** The drawings of a market that a body names. @throws InvalidInput with the first fault */
export function drawingsIn(body: unknown): {
  readonly ticker: string
  readonly drawings: readonly ChartDrawing[]
} {
  const fields = new BodyFields(body)
  const ticker = fields.text('ticker', { min: 1, max: MAX_TICKER_LENGTH })
  if (ticker === undefined || ticker === null) throw new InvalidInput('ticker is required')
  const drawingsValue = fields.raw('drawings')
  if (!Array.isArray(drawingsValue) || drawingsValue.length > MAX_DRAWINGS) {
    throw new InvalidInput(`drawings must be a list of at most ${MAX_DRAWINGS} drawings`)
  }
  const drawings = drawingsValue.map((value, index) => drawingIn(value, `drawings[${index}]`))
  if (new Set(drawings.map(({ id }) => id)).size < drawings.length) {
    throw new InvalidInput('drawings must have unique ids')
  }
  return { ticker: canonicalTicker(ticker), drawings }
}

function objectIn(value: unknown, name: string): BodyFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidInput(`${name} must be an object`)
  }
  return new BodyFields(value)
}

/** Runs a check of one field; its message begins with the path of the field. */
function checkField<T>(fieldPath: string, check: () => T | null | undefined, name: string): T {
  try {
    const value = check()
    if (value !== undefined && value !== null) return value
  } catch (error) {
    if (error instanceof InvalidInput) throw new InvalidInput(`${fieldPath}.${error.message}`)
    throw error
  }
  throw new InvalidInput(`${fieldPath}.${name} is required`)
}

function drawingIn(value: unknown, fieldPath: string): ChartDrawing {
  const fields = objectIn(value, fieldPath)
  const id = checkField(fieldPath, () => fields.text('id', { min: 1, max: MAX_ID_LENGTH }), 'id')
  const kind = checkField(fieldPath, () => fields.word('kind', KINDS), 'kind')
  if (kind === 'level') return { id, kind, price: priceIn(fields, fieldPath) }
  if (kind === 'text') {
    const text = checkField(
      fieldPath,
      () => fields.text('text', { min: 1, max: MAX_TEXT_LENGTH }),
      'text',
    )
    return { id, kind, at: pointIn(fields.raw('at'), `${fieldPath}.at`), text }
  }
  const from = pointIn(fields.raw('from'), `${fieldPath}.from`)
  return { id, kind, from, to: pointIn(fields.raw('to'), `${fieldPath}.to`) }
}

function pointIn(value: unknown, fieldPath: string) {
  const fields = objectIn(value, fieldPath)
  const time = checkField(
    fieldPath,
    () => fields.number('time', { min: 0, max: MAX_SECONDS }),
    'time',
  )
  return { time, price: priceIn(fields, fieldPath) }
}

const priceIn = (fields: BodyFields, fieldPath: string): number =>
  checkField(fieldPath, () => fields.number('price', { min: 0, max: 100 }), 'price')
