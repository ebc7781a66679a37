import { open, type Requirement } from './requirement.ts'

const later = (id: string, section: string, promise: string): Requirement =>
  open(id, section, promise, 'its routes, which are not built yet')

/** Parts of the document with one row each until their routes are built. */
export const LATER: readonly Requirement[] = [
  later('monitor.run.all', '8', 'monitor the situation: scraping, analysis, webhook'),
  later('government.reads.all', '4.2', 'government data, legislation and congress'),
  later('economy.reads.all', '4.2', 'economic and traditional-market data'),
  later('catalog.tools.all', '2.14', 'tool inventory, strict manifest, skills and prompt'),
  later('mcp.adapter.all', '4.3', 'tool-protocol adapter over the same surface'),
  later('voice.proxies.all', '4.3', 'speech out and speech in with their plain-text errors'),
  later('theses.heartbeat.scans', '2.12', 'scans of news and social posts, closed-loop intents'),
  later(
    'alerts.conditions.other',
    '2.13',
    'alerts on releases and government actions, which have no source yet',
  ),
  later('states.transitions.all', '3', 'states and transitions of every resource'),
]
