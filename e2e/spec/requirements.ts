import { ACCESS } from './access.ts'
import { CONVENTIONS } from './conventions.ts'
import { DATA_SERVICE } from './data-service.ts'
import { DATA_SOCKET } from './data-socket.ts'
import { LATER } from './later.ts'
import { MARKET_READS } from './market-reads.ts'
import { OPERATION } from './operation.ts'
import type { Requirement } from './requirement.ts'
import { TERMINAL_LIVE } from './terminal-live.ts'

/** The interface document as data: every promise once, in the order of the document's topics. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...CONVENTIONS,
  ...MARKET_READS,
  ...OPERATION,
  ...DATA_SERVICE,
  ...DATA_SOCKET,
  ...ACCESS,
  ...TERMINAL_LIVE,
  ...LATER,
]
