import type { TSchema } from 'elysia'
import * as accounts from '../../contract/accounts.ts'
import * as archive from '../../contract/archive.ts'
import * as backtests from '../../contract/backtests.ts'
import * as attribution from '../../contract/orders/attribution.ts'
import * as crossvenue from '../../contract/crossvenue.ts'
import * as dataService from '../../contract/data-service.ts'
import * as edges from '../../contract/edges.ts'
import * as editorial from '../../contract/editorial.ts'
import * as forum from '../../contract/forum/forum.ts'
import * as indices from '../../contract/indices.ts'
import * as inspect from '../../contract/inspect.ts'
import * as intents from '../../contract/orders/intents.ts'
import * as ticks from '../../contract/orders/ticks.ts'
import * as market from '../../contract/market.ts'
import * as marketHistory from '../../contract/market-history.ts'
import * as marketTape from '../../contract/market-tape.ts'
import * as markets from '../../contract/markets.ts'
import * as operations from '../../contract/operations.ts'
import * as panelPayloads from '../../contract/panels/panel-payloads.ts'
import * as panelSpec from '../../contract/panels/panel-spec.ts'
import * as panels from '../../contract/panels/panels.ts'
import * as portfolio from '../../contract/portfolio.ts'
import * as query from '../../contract/query.ts'
import * as reference from '../../contract/reference.ts'
import * as replay from '../../contract/replay.ts'
import * as schemas from '../../contract/schemas.ts'
import * as theses from '../../contract/theses/thesis.ts'
import * as portfolioTexts from '../../contract/orders/texts.ts'
import * as credentials from '../../contract/orders/credentials.ts'
import * as imports from '../../contract/orders/imports.ts'
import * as thesisBacktest from '../../contract/theses/backtest.ts'
import * as thesisGrowth from '../../contract/theses/growth.ts'
import * as thesisHeartbeat from '../../contract/theses/heartbeat.ts'
import * as thesisHoldings from '../../contract/theses/holdings.ts'
import * as thesisReads from '../../contract/theses/reads.ts'
import * as deliveries from '../../contract/orders/deliveries.ts'
import * as drawings from '../../contract/charts/drawings.ts'
import * as watch from '../../contract/orders/watch.ts'
import * as webhookEvents from '../../contract/orders/webhook-events.ts'
import * as webhooks from '../../contract/orders/webhooks.ts'
import * as world from '../../contract/world.ts'
import * as worldChanges from '../../contract/world-changes.ts'

const MODULES = [
  schemas,
  market,
  markets,
  marketHistory,
  marketTape,
  crossvenue,
  edges,
  editorial,
  forum,
  indices,
  inspect,
  query,
  reference,
  world,
  worldChanges,
  intents,
  ticks,
  deliveries,
  drawings,
  watch,
  webhooks,
  webhookEvents,
  theses,
  thesisBacktest,
  thesisGrowth,
  thesisHeartbeat,
  thesisHoldings,
  thesisReads,
  portfolio,
  attribution,
  portfolioTexts,
  credentials,
  imports,
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
  Object.entries(module).flatMap(([exportName, schema]: [string, unknown]) => {
    const name = exportName.replace(/Schema$/, '')
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
