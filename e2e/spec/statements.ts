import { covered, type Requirement } from './requirement.ts'

/** Users' SQL statements over the history. */
export const STATEMENTS: readonly Requirement[] = [
  covered('sql.views.documented', '1', 'every view has its documented columns'),
  covered(
    'sql.views.units',
    '1',
    'cents, contracts, UTC, and trades as the venue last stated them',
  ),
  covered(
    'sql.statement.select',
    '1',
    'one SELECT over the views and its own expressions is answered',
  ),
  covered('sql.statement.refused', '1', 'anything else is refused with its reason'),
  covered('sql.answer.values', '1', 'values are exact in JSON, or text'),
  covered(
    'sql.answer.bounds',
    '1',
    'a result is truncated at its limits, a statement cancelled at its own',
  ),
  covered('sql.route.answer', '1', 'POST /api/sql: columns, rows, truncated'),
  covered('sql.route.admins', '1', 'for administrators only'),
  covered('sql.route.refused', '1', 'refusals state line and column'),
  covered('sql.route.bounds', '1', 'ten seconds, limits of memory and rows, two at a time'),
  covered(
    'service.stop.statement',
    '1',
    'a running statement never prevents a service from stopping',
  ),
  covered(
    'client.sql.answers',
    '1',
    'augury sql from an argument, a file, stdin; table, CSV, JSON',
  ),
  covered('client.sql.refused', '1', 'augury sql reports errors before it starts anything'),
]
