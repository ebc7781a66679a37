import { covered, type Requirement } from './requirement.ts'

/** The dossier of one market, the regime scan and the diff of two instants. */
export const ONE_MARKET: readonly Requirement[] = [
  covered(
    'inspect.dossier.fields',
    '2.3',
    'identity, prices, regime with its signals, indicators, edges and links in one body',
  ),
  covered(
    'inspect.dossier.suggestion',
    '2.3',
    'action, confidence, reasoning, positives, warnings and size hint by net edge',
  ),
  covered(
    'inspect.dossier.cross-venue',
    '2.3',
    'matched markets of the other venue, most confident first',
  ),
  covered('inspect.dossier.contagion', '2.3', 'connected markets with an expected move'),
  covered('inspect.dossier.diff', '2.3', 'price, yield and indicators against 24 hours ago'),
  covered('inspect.dossier.trend', '2.3', 'the last seven days, days without quotes absent'),
  covered('inspect.dossier.switches', '4.1', 'contagion, diff and trend are on by default'),
  covered(
    'inspect.dossier.next-actions',
    '2.3',
    'execute, watch, deeper and query; nextActions=off drops them',
  ),
  covered(
    'inspect.dossier.position',
    '4.1',
    'the position is included for identified callers only',
  ),
  covered('inspect.dossier.own-position', '4.1', 'the paper position of the requesting user only'),
  covered('inspect.dossier.position-as-of', '4.1', 'at a past instant, what was held then'),
  covered('inspect.dossier.markdown', '4.1', 'format=markdown has the same content as text'),
  covered(
    'inspect.dossier.settled',
    '2.3',
    'a settled market is avoided and its settlement stated',
  ),
  covered(
    'inspect.dossier.refusals',
    '7',
    'no ticker is 400, an unknown one 404, an id in UUID form 410',
  ),
  covered('inspect.dossier.kept', '8', 'the shared part is cached until something changes'),
  covered('inspect.dossier.null-matrix', '2.3', 'unknown values of a market are null, never 0'),
  covered('regime.scan.row', '4.2', 'markets with score, label, signals and their breakdown'),
  covered('regime.scan.sorted', '4.2', 'six sorts in both orders, unknown quantities last'),
  covered(
    'regime.scan.filtered',
    '4.2',
    'label, score, venue, type, observability, edge and tickers',
  ),
  covered('regime.scan.by-label', '4.2', 'counts of each label before the filter by label'),
  covered('regime.scan.paged', '4.2', 'cursor pages without loss or repetition'),
  covered('regime.scan.limit-clamped', '4.2', 'limit is 50, clamped to 1..200'),
  covered('regime.scan.refusals', '7', 'an unknown word or a bound outside the scale is 400'),
  covered('regime.history.gone', '9', 'the retired regime history returns 410'),
  covered('diff.lists.moved', '4.2', 'markets that moved by a cent and more, largest first'),
  covered('diff.lists.ended', '4.2', 'added, resolved, closed and relabelled ones, newest first'),
  covered('diff.window.words', '4.2', 'window is 1h, 6h, 24h or 7d; else 400'),
  covered('diff.filters.narrow', '4.2', 'topic, category and venue filter every list'),
  covered('diff.filters.limit-clamped', '4.2', 'limit of each list is 50, clamped to 1..200'),
]
