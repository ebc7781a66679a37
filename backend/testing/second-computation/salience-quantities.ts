import { HOUR, type Millis } from '../../domain/units.ts'
import { ideaId } from '../../domain/edges/ideas.ts'
import { consensusBreak } from '../../domain/world/salient/consensus-break.ts'
import { ConsensusFinder } from '../../domain/world/salient/consensus.ts'
import { deltaMarkdown } from '../../domain/world/markdown/delta-markdown.ts'
import { divergenceItem } from '../../domain/world/salient/divergence.ts'
import {
  novelMarket,
  residualVolume,
  resolvingSoon,
} from '../../domain/world/salient/market-candidates.ts'
import { salientCount } from '../../domain/world/regions/region-tree.ts'
import { salientId } from '../../domain/world/salient/salient-id.ts'
import {
  emissionAfter,
  noveltyOf,
  SALIENT_TYPES,
  salienceOf,
  type ScoredCandidate,
} from '../../domain/world/salient/salient.ts'
import { selectSalient } from '../../domain/world/salient/selection.ts'
import { formsThatFit } from '../../domain/world/markdown/token-budget.ts'
import { worldMarket } from '../world-markets.ts'
import { computedTwice, type SecondComputation } from './computed-twice.ts'
import { CENTS, LIQUIDITIES } from './shapes.ts'

const TYPES = `values ('regime_shift', 1.3, 1), ('divergence', 1.0, 2), ('resolving_soon', 0.8, 3), ('residual', 0.9, 4),
                      ('novel', 0.7, 5), ('consensus_break', 1.0, 6)`
/** Last six base-36 digits of the first eight bytes of a SHA-256. */
const shortId = (text: string): string =>
  `list_aggregate(list_transform([5, 4, 3, 2, 1, 0], k ->
     substr('0123456789abcdefghijklmnopqrstuvwxyz', ((('0x' || left(sha256(${text}), 16))::ubigint // power(36, k)::ubigint) % 36)::int + 1, 1)), 'string_agg', '')`

/** Second computations of methodology C1 to C5. */
export const SALIENCE_QUANTITIES: readonly SecondComputation[] = [
  computedTwice({
    name: 'magnitudes of resolving, residual and novel markets',
    sections: ['C1'],
    params: ['marketCandidates'],
    shape: {
      mark: CENTS,
      price: CENTS,
      days: 'DOUBLE',
      hours: 'DOUBLE',
      usd: 'DOUBLE',
      vr: 'DOUBLE',
      residual: 'DOUBLE',
      seen: 'DOUBLE',
    },
    sql: `
      with read as (
        select *, 4 * (mark / 100) * (1 - mark / 100) / (1 + days) / .25 as soon,
               coalesce(residual, vr) / 2 as res, log10(1 + usd) / 3 as fresh from cases)
      select id, if(soon >= 1 and hours > 0 and days between 0 and 7 and usd >= 1000, soon, null) as resolving,
             if(res >= 1 and vr is not null and price between 5 and 95 and usd >= 10, res, null) as residual,
             if(fresh >= 1 and seen > -12 and seen <= 0, fresh, null) as novel from read`,
    input: ({ nullable, integer, pick }) => ({
      mark: nullable(integer(2, 98)),
      price: nullable(integer(2, 98)),
      days: integer(0, 36) / 4,
      hours: integer(-20, 200),
      usd: nullable(pick([integer(5, 15), integer(0, 2_000), integer(0, 90_000)])),
      vr: nullable(integer(0, 24) / 4),
      residual: nullable(integer(0, 24) / 4),
      seen: integer(-30, 2),
    }),
    first: ({ mark, price, days, hours, usd, vr, residual, seen }) => {
      const at = (1_000 * HOUR) as Millis
      const market = worldMarket({
        mark,
        price,
        daysToEvent: days,
        volume24hUsd: usd,
        vr,
        residualVr: residual,
        closeTime: at + hours * HOUR,
        firstSeenAt: at + seen * HOUR,
      })
      return {
        resolving: resolvingSoon(market, at)?.x ?? null,
        residual: residualVolume(market)?.x ?? null,
        novel: novelMarket(market, at, (at - 12 * HOUR) as Millis, 0)?.x ?? null,
      }
    },
  }),
  computedTwice({
    name: 'magnitude of a divergence',
    sections: ['C1'],
    params: ['divergence'],
    shape: {
      gap: 'DECIMAL(9,2)',
      z: 'DECIMAL(9,2)',
      trigger: 'TEXT',
      lagging: 'TEXT',
      relation: 'TEXT',
    },
    sql: `with w(l, w) as (values ('high', 1.0), ('medium', .7), ('low', .4))
          select id, if(abs(gap) >= 5 and abs(z) >= 2, if(relation = 'cross_venue' and abs(gap) >= 30, 1, abs(gap) / 5), null) as x,
                 if(abs(gap) >= 5 and abs(z) >= 2, least(a.w, b.w), null)::double as weight
            from cases join w as a on a.l = trigger join w as b on b.l = lagging`,
    input: ({ integer, pick }) => ({
      gap: integer(-160, 160) / 4,
      z: integer(-20, 20) / 4,
      trigger: pick(LIQUIDITIES),
      lagging: pick(LIQUIDITIES),
      relation: pick(['theme', 'cross_venue'] as const),
    }),
    first: ({ gap, z, trigger, lagging, relation }) => {
      const markets = new Map([
        ['A', worldMarket({ ticker: 'A', liquidity: trigger })],
        ['B', worldMarket({ ticker: 'B', liquidity: lagging })],
      ])
      const found = divergenceItem(
        {
          trigger: 'A',
          lagging: 'B',
          triggerMove: 1,
          laggingMove: 1,
          gap,
          z,
          confidence: 0.5,
          relation,
          direction: 'lagging',
          theme: null,
        },
        (ticker) => markets.get(ticker),
      )
      return { x: found?.x ?? null, weight: found?.weight ?? null }
    },
  }),
  computedTwice({
    name: 'consensus and its break',
    sections: ['C1'],
    params: ['consensus', 'consensusBreak'],
    shape: {
      market: {
        mark: CENTS,
        price: CENTS,
        base: CENTS,
        spread: CENTS,
        exclusive: 'BOOLEAN',
        rung: 'INT',
      },
      peers: [{ mark: CENTS, base: CENTS, beta: 'DECIMAL(5,2)', rung: 'INT', twoSided: 'BOOLEAN' }],
      pair: 'DECIMAL(4,2)',
      inverted: 'BOOLEAN',
      kind: 'TEXT',
    },
    // Peer 1 is the pair, the siblings of an exclusive event, the ladder or the theme, by kind.
    sql: `
      with read as (
        select *, kind = 'pair' and pair >= .75 and peers[1].mark is not null as isPair,
               kind = 'event' and market.exclusive and market.mark is not null and len(peers) > 0 and len(list_filter(peers, x -> x.mark is null)) = 0 as isEvent,
               list_filter(peers, x -> x.rung < market.rung) as lower, list_filter(peers, x -> x.rung > market.rung) as upper,
               list_filter(peers, x -> x.twoSided and x.mark is not null and x.base is not null) as linked from cases),
      near as (
        select *, list_filter(lower, x -> x.rung = list_max(list_transform(lower, y -> y.rung)))[1] as lo,
               list_filter(upper, x -> x.rung = list_min(list_transform(upper, y -> y.rung)))[1] as hi from read),
      based as (
        select *, kind = 'ladder' and market.mark is not null and lo.mark is not null and hi.mark is not null as isLadder,
               kind = 'theme' and len(linked) >= 3 and market.base is not null as isTheme from near),
      priced as (
        select *, case
          when isPair then if(inverted, 100 - peers[1].mark, peers[1].mark)::double
          when isEvent then greatest(0, least(100, 100 - list_sum(list_transform(peers, x -> x.mark))))::double
          when isLadder then greatest(least(lo.mark, hi.mark), least(greatest(lo.mark, hi.mark), market.mark))::double
          when isTheme then greatest(0, least(100, market.base + list_median(list_transform(linked, x -> (x.beta * (x.mark - x.base))::double)))) end as should,
          case when isPair then [peers[1]] when isEvent then peers when isLadder then [lo, hi] else linked end as used,
          case when isPair then pair when isEvent or isLadder then .9 when isTheme then .5 end as confidence from based),
      moved as (
        select *, coalesce(abs(market.mark - market.base) >= 3, false) or len(list_filter(used, x -> abs(x.mark - x.base) >= 3)) > 0 as hasMoved,
               abs(market.mark - should) / 10 as x from priced)
      select id, should::double as consensus, confidence::double as confidence,
             if(x >= 1 and hasMoved and market.price is not null and market.spread <= 10, if(isPair and x >= 3, 1, x), null)::double as x from moved`,
    input: ({ integer, list, nullable, pick, chance }) => {
      const mark = () => integer(10, 60)
      return {
        market: {
          mark: nullable(mark()),
          price: nullable(mark()),
          base: nullable(mark()),
          spread: nullable(integer(2, 24) / 2),
          exclusive: chance(0.9),
          rung: 50,
        },
        peers: list(1, 5, (i) => ({
          mark: chance(0.9) ? mark() : null,
          base: nullable(mark()),
          beta: integer(-150, 150) / 100,
          rung: [20, 30, 70, 80, 90][i] ?? 0,
          twoSided: chance(0.9),
        })),
        pair: integer(60, 99) / 100,
        inverted: chance(0.3),
        kind: pick(['pair', 'event', 'ladder', 'theme'] as const),
      }
    },
    first: ({ market, peers, pair, inverted, kind }) => {
      const isEvent = kind === 'event'
      const place = (i: string, at: number) =>
        kind === 'ladder'
          ? { eventId: 'E', rung: { ladder: 'L', at } }
          : { eventId: isEvent ? 'E' : i }
      const own = worldMarket({
        ticker: 'A',
        mark: market.mark,
        price: market.price,
        markAtBaseline: market.base,
        spread: market.spread,
        twoSided: market.spread !== null,
        ...place('A', market.rung),
        exclusive: isEvent && market.exclusive,
        exhaustive: isEvent,
      })
      const others = peers.map((peer, i) =>
        worldMarket({
          ticker: `P${i}`,
          mark: peer.mark,
          price: peer.mark,
          markAtBaseline: peer.base,
          twoSided: peer.twoSided,
          ...place(`P${i}`, peer.rung),
        }),
      )
      const finder = new ConsensusFinder(
        [own, ...others],
        new Map(kind === 'pair' ? [['A', { ticker: 'P0', confidence: pair, inverted }]] : []),
        new Map(
          kind === 'theme' ? [['A', peers.map(({ beta }, i) => ({ ticker: `P${i}`, beta }))]] : [],
        ),
      )
      const consensus = finder.find(own)
      return {
        consensus: consensus?.price ?? null,
        confidence: consensus?.confidence ?? null,
        x: consensus === null ? null : (consensusBreak(own, consensus)?.x ?? null),
      }
    },
  }),
  computedTwice({
    name: 'salience, novelty, renewal',
    sections: ['C2'],
    params: ['salience'],
    shape: {
      type: 'TEXT',
      x: 'DOUBLE',
      confidence: 'DOUBLE',
      weight: 'DOUBLE',
      hours: 'DOUBLE',
      old: 'DOUBLE',
      silent: 'DOUBLE',
    },
    sql: `
      with types(type, t, n) as (${TYPES}),
      aged as (select *, if(x >= 1.25 * old or silent > 24, 0, hours) as age from cases)
      select id, x / (1 + x) * confidence * weight * t * greatest(.25, power(2, -age / 12)) as score from aged join types using (type)`,
    input: ({ pick, integer, any }) => ({
      type: pick(SALIENT_TYPES),
      x: 1 + integer(0, 40) / 8,
      confidence: any(),
      weight: pick([1, 0.7, 0.4]),
      hours: integer(0, 40),
      old: 1 + integer(0, 40) / 8,
      silent: integer(0, 30),
    }),
    first: ({ type, x, confidence, weight, hours, old, silent }) => {
      const at = (1_000 * HOUR) as Millis
      const before = { since: at - hours * HOUR, x: old, lastAt: at - silent * HOUR }
      const emission = emissionAfter(before as Parameters<typeof emissionAfter>[0], x, at)
      return { score: salienceOf({ type, x, confidence, weight }, noveltyOf(emission, at)) }
    },
  }),
  computedTwice({
    name: 'selection by what is new in it',
    sections: ['C3'],
    params: ['selection'],
    shape: {
      items: [
        {
          type: 'TEXT',
          ticker: 'TEXT',
          event: 'TEXT',
          question: 'TEXT',
          theme: 'TEXT',
          score: 'DOUBLE',
        },
      ],
      limit: 'INT',
    },
    sql: `
      with recursive types(type, t, n) as (${TYPES}),
      ordered as (
        select id, "limit" as most, list(struct_pack(k := item_id, o := n, type := i.type, ticker := i.ticker, event := i.event, question := i.type || i.question, theme := i.theme, s := i.score) order by item_id) as items
          from (select id, "limit", generate_subscripts(items, 1) as item_id, unnest(items) as i from cases) join types on types.type = i.type group by id, "limit"),
      taken as (
        select id, items, most, []::int[] as chosen, []::double[] as scores, []::text[] as tickers, []::text[] as events, []::text[] as questions, []::text[] as themes, []::text[] as kinds
          from ordered
        union all
        select id, items, most, list_append(chosen, b.k), list_append(scores, b.left_), list_append(tickers, b.ticker), list_append(events, b.event), list_append(questions, b.question), list_append(themes, b.theme), list_append(kinds, b.type)
          from (
            select *, list_sort(list_transform(list_filter(items, x -> not list_contains(tickers, x.ticker) and not list_contains(questions, x.question) and len(list_filter(events, e -> e = x.event)) < 2), x -> struct_pack(
                     order_ := -(x.s * if(list_contains(kinds, x.type), .8, 1) * if(list_contains(themes, x.theme), .6, 1) * if(list_contains(events, x.event), .2, 1)),
                     o := x.o, ticker := x.ticker, k := x.k, event := x.event, question := x.question, theme := x.theme, type := x.type,
                     left_ := x.s * if(list_contains(kinds, x.type), .8, 1) * if(list_contains(themes, x.theme), .6, 1) * if(list_contains(events, x.event), .2, 1))))[1] as b
              from taken where len(chosen) < most) where b is not null)
      select id, chosen, scores from taken qualify row_number() over (partition by id order by len(chosen) desc) = 1`,
    input: ({ list, pick, any, integer }) => ({
      items: list(1, 9, (i) => ({
        type: pick(SALIENT_TYPES.slice(1)),
        ticker: `K${integer(0, 5)}`,
        event: `E${integer(0, 2)}`,
        question: `Q${integer(0, 3)}`,
        theme: pick(['oil', 'iran']),
        score: any() + i / 1_000,
      })),
      limit: integer(1, 6),
    }),
    first: ({ items, limit }) => {
      const scored = items.map(({ type, ticker, event, question, theme, score }, i) => {
        const legs = [worldMarket({ ticker, theme })]
        const fields = { type, score, legs, event, question, id: `s-${i}` }
        return fields as unknown as ScoredCandidate
      })
      const chosen = selectSalient(scored, limit)
      return {
        chosen: chosen.map(({ candidate }) => scored.indexOf(candidate) + 1),
        scores: chosen.map(({ score }) => score),
      }
    },
  }),
  computedTwice({
    name: 'ids of items and ideas',
    sections: ['C4', 'E8'],
    shape: { type: 'TEXT', a: 'TEXT', b: 'TEXT', basis: 'TEXT', direction: 'TEXT' },
    sql: `select id, 's-' || ${shortId(`type || '|' || a || '|' || b`)} as item,
                 'idea_' || ${shortId(`basis || '|' || a || '|' || direction`)} as idea from cases`,
    input: ({ pick, integer }) => ({
      type: pick(SALIENT_TYPES),
      a: `KX${integer(0, 1e9).toString(36).toUpperCase()}é`,
      b: `0x${integer(0, 1e9).toString(16)}`,
      basis: pick(['thesis_edge', 'cross_venue', 'yield', 'contagion'] as const),
      direction: pick(['buy_yes', 'buy_no'] as const),
    }),
    first: ({ type, a, b, basis, direction }) => ({
      item: salientId(type, a, b),
      idea: ideaId({ basis, ticker: a, direction }),
    }),
  }),
  computedTwice({
    name: 'forms of items within a budget',
    sections: ['C5'],
    params: ['markdown'],
    shape: { header: 'INT', items: [{ full: 'INT', line: 'INT' }] },
    // Full forms first, while they fit; then lines, while these fit; at least three items.
    sql: `
      with totals as (
        select id, header, i, x, header + sum(x.full) over (partition by id order by i) as upto
          from (select id, header, generate_subscripts(items, 1) as i, unnest(items) as x from cases)),
      whole as (select *, bool_and(upto <= 800) over (partition by id order by i) as isFull from totals),
      lined as (
        select *, header + sum(if(isFull, x.full, x.line)) over (partition by id order by i) as mixed from whole),
      fitting as (select *, bool_and(isFull or mixed <= 800) over (partition by id order by i) as fits from lined)
      select id, list(case when isFull then 'full' when fits or i <= 3 then 'line' else 'left out' end order by i) as forms from fitting group by id`,
    input: ({ integer, list }) => ({
      header: integer(40, 700),
      items: list(1, 12, () => ({ full: integer(60, 200), line: integer(10, 60) })),
    }),
    first: ({ header, items }) => ({ forms: formsThatFit(800, header, items).forms }),
  }),
  computedTwice({
    name: 'items worth naming, lines of a delta',
    sections: ['C6', 'C7'],
    params: ['regionTree', 'deltaMarkdown'],
    shape: { scores: ['DECIMAL(4,2)'], moves: 'INT' },
    sql: `select id, len(list_filter(scores, x -> x >= .2)) as worth,
                 if(moves = 0, 0, least(moves, 12)) as lines, if(moves > 12, '+' || (moves - 12) || ' more', null) as more from cases`,
    input: ({ list, integer }) => ({
      scores: list(0, 9, () => integer(10, 30) / 100),
      moves: integer(0, 30),
    }),
    first: ({ scores, moves }) => {
      const candidates = scores.map((score) => ({ score })) as ScoredCandidate[]
      const changes = Array.from({ length: moves }, (_, i) => ({
        kind: 'price_move' as const,
        ticker: `K${i}`,
        label: '',
        before: 40,
        after: 46,
        at: '',
        url: null,
      }))
      const text = deltaMarkdown({
        from: '2026-11-20T12:00:00Z',
        to: '2026-11-20T13:00:00Z',
        changes,
        resolved: [],
        indexDelta: { disagreement: 0, geoRisk: 0, breadth: 0, activity: 0, value: 0 },
        movers: { added: [], dropped: [] },
      })
      const lines = text.split('\n')
      return {
        worth: salientCount(candidates),
        lines: lines.filter((line) => line.startsWith('~')).length,
        more: lines.find((line) => line.startsWith('+')) ?? null,
      }
    },
  }),
]
