import type { TSchema } from 'elysia'
import * as accounts from './accounts.ts'
import * as archive from './archive.ts'
import * as backtests from './backtests.ts'
import * as crossvenue from './crossvenue.ts'
import * as dataService from './data-service.ts'
import * as edges from './edges.ts'
import * as editorial from './editorial.ts'
import * as indices from './indices.ts'
import * as inspect from './inspect.ts'
import * as intents from './intents.ts'
import * as market from './market.ts'
import * as marketHistory from './market-history.ts'
import * as markets from './markets.ts'
import * as operations from './operations.ts'
import * as panelPayloads from './panels/panel-payloads.ts'
import * as panelSpec from './panels/panel-spec.ts'
import * as panels from './panels/panels.ts'
import * as portfolio from './portfolio.ts'
import * as query from './query.ts'
import * as reference from './reference.ts'
import * as replay from './replay.ts'
import * as schemas from './schemas.ts'
import * as world from './world.ts'
import * as worldChanges from './world-changes.ts'

const MODULES = [
  schemas,
  market,
  markets,
  marketHistory,
  crossvenue,
  edges,
  editorial,
  indices,
  inspect,
  query,
  reference,
  world,
  worldChanges,
  intents,
  portfolio,
  panelSpec,
  panelPayloads,
  panels,
  accounts,
  archive,
  backtests,
  operations,
  replay,
]

/** Whether a value is a schema worth a name of its own: an object, an enumeration or a union. */
const isNameable = (value: unknown): value is TSchema =>
  typeof value === 'object' &&
  value !== null &&
  ('enum' in value || ('properties' in value && 'type' in value) || isUnionOfObjects(value))

const isUnionOfObjects = (value: object): boolean =>
  'anyOf' in value &&
  Array.isArray(value.anyOf) &&
  value.anyOf.length > 1 &&
  value.anyOf.every(isNameable)

const namesOf = (module: object, prefix = ''): (readonly [TSchema, string])[] =>
  Object.entries(module).flatMap(([exported, schema]: [string, unknown]) => {
    const name = exported.replace(/Schema$/, '')
    const full = name.startsWith(prefix) ? name : `${prefix}${name}`
    return isNameable(schema) ? [[schema, full] as const] : []
  })

/**
 * Name of each exported schema in the OpenAPI document: that of the export without `Schema`. Names
 * of the data service begin with `V1`, because it has markets and candles of its own.
 */
export const SCHEMA_NAMES: ReadonlyMap<TSchema, string> = new Map([
  ...MODULES.flatMap((module) => namesOf(module)),
  ...namesOf(dataService, 'V1'),
])
