import type { ApiFailure } from '../../api/client.ts'
import { refusalLabel } from '../account/refusal-labels.ts'
import type { RunRefusal } from './run-draft.ts'
import { sentence } from './run-labels.ts'

/** Fields of the service by the form's names. */
const FIELDS: Readonly<Record<string, string>> = {
  strategy: 'strategy',
  from: 'from',
  to: 'to',
  markets: 'tickers',
  topic: 'topic',
  seed: 'seed',
  startCashUsd: 'cash',
  params: 'form',
  checks: 'form',
}
/** `from: must be …`, or `body/from: …`. */
const FIELD_PROBLEM = /^(?:body[./])?([a-zA-Z]+)(?:\/\S*)?: (.+)$/s
const NOT_FOUND = /^strategy not found: (.*)$/s
const OF_PARAM = /^parameter (\S+) must /

/** Sentences for the service's reason codes. */
const SENTENCES: Readonly<Record<string, string>> = {
  'to: must be after from': 'The end must be after the start.',
  'to: must not be in the future': 'The end must not be in the future.',
  'from: must be an ISO 8601 time':
    'Enter a UTC date or time, such as 2026-03-01 or 2026-03-01T12:00Z.',
  'to: must be an ISO 8601 time':
    'Enter a UTC date or time, such as 2026-03-01 or 2026-03-01T12:00Z.',
  'from: no market has events between from and to':
    'No market has events in this range. Choose another, or import history.',
  'markets: none of them has facts or events between from and to':
    'None of these markets has events in this range.',
}

/** Why a run was rejected or failed, beside the field of the error. */
export function reasonOf(message: string): RunRefusal {
  const notFoundMatch = NOT_FOUND.exec(message)
  if (notFoundMatch !== null)
    return { field: 'strategy', text: `There is no strategy ${notFoundMatch[1] ?? ''}.` }
  const param = OF_PARAM.exec(message)
  if (param !== null) return { field: `param:${param[1] ?? ''}`, text: sentence(message) }
  const [, name = '', problem = message] = FIELD_PROBLEM.exec(message) ?? []
  const field = FIELDS[name]
  const text = SENTENCES[message] ?? sentence(field === undefined ? message : problem)
  return { field: field ?? 'form', text }
}

export const refusalOf = (failure: ApiFailure): RunRefusal =>
  failure.kind === 'refused' && failure.status === 400
    ? reasonOf(failure.message)
    : { field: 'form', text: refusalLabel(failure) }
