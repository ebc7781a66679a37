import { covered, type Requirement } from './requirement.ts'

/** Natural-language questions, and the service's own pages and texts. */
export const QUESTIONS: readonly Requirement[] = [
  covered(
    'query.answer.q-required',
    '4.2',
    'q has at least 2 characters after trim: 400 `q required (min 2 chars)`',
  ),
  covered(
    'query.answer.template',
    '2.4',
    'without a model mode=full answers from facts, with synthesis `template`',
  ),
  covered('query.answer.sources-present', '2.4', 'a source appears only when it has results'),
  covered(
    'query.answer.context',
    '2.4',
    'the other venue and key factors are included when available',
  ),
  covered(
    'query.answer.raw',
    '4.2',
    'mode=raw has no answer; sources and nextActions can be limited',
  ),
  covered('query.answer.no-match', '2.4', 'without a match the nearest topics are listed'),
  covered(
    'query.answer.nearest',
    '2.4',
    'a question without a matching market lists the nearest markets with their differences',
  ),
  covered('query.answer.combined', '2.4', 'outcomes that a question combines are added'),
  covered('query.answer.tiers', '5', 'medium and heavy models require credentials: 401'),
  covered(
    'query.answer.parameters',
    '4.2',
    'limit is 10 a venue, clamped to 1..20; unknown words are 400',
  ),
  covered(
    'query.answer.depth',
    '4.2',
    'depth=true includes book levels of the first three of venue_a',
  ),
  covered('query.answer.cached', '8', 'the same question within 300 s is answered from the cache'),
  covered(
    'query.answer.limited',
    '8',
    '10 questions a minute without credentials; cached ones do not count',
  ),
  covered('query.answer.bad-input', '4.2', 'any script and hostile text is an ordinary question'),
  covered(
    'query.answer.model',
    '4.2',
    'a configured model words the facts; a text with other facts is not used',
  ),
  covered(
    'query.answer.model-failure',
    '7',
    'a failing model is 500 LLM_FAILURE, retry with mode=raw',
  ),
  covered(
    'context.snapshot.body',
    '4.2',
    'edges, movers and highlights, ten each, with their times',
  ),
  covered(
    'context.snapshot.compact',
    '4.2',
    'compact has exactly edges, highlights and traditional',
  ),
  covered(
    'discuss.synthesis.body',
    '4.2',
    'sides of a question in fixed order, with the fields that support them',
  ),
  covered('discuss.synthesis.required', '4.2', 'question, topic or ticker required'),
  covered('monitor.enrich.body', '8', 'findings of a text with topics and markets'),
  covered('monitor.enrich.limits', '8', 'content of 1 to 50000 characters and 1 to 20 topics'),
  covered('search.site.types', '4.2', 'the site search returns texts beside markets'),
  covered('topics.page.body', '4.2', 'a topic page has gauges, markets, movers, dates and ideas'),
  covered('topics.page.unknown', '4.2', 'only the topics and groups have pages'),
  covered('editorial.pages.as-of', '4.2', 'pages are served as of an instant'),
  covered('answers.page.body', '4.2', 'a question of the odds is answered from its markets'),
  covered('briefing.read.sections', '4.2', 'sections in order, empty ones omitted'),
  covered('briefing.read.window', '8', 'an unknown window becomes 24h'),
  covered('briefing.read.compact', '4.2', 'compact limits sections to three rows'),
  covered('technicals.list.rows', '4.2', 'technicals by strength'),
  covered('technicals.get.page', '4.2', 'levels, days and indicators of one market'),
  covered(
    'opinions.list.rows',
    '4.2',
    'opinions by rules, one per topic and day, stored as published',
  ),
  covered('glossary.list.rows', '4.2', 'terms by name, filtered by words and category'),
  covered('glossary.get.term', '4.2', 'one term with body and formula; unknown 404'),
  covered('skills.public.list', '4.2', 'skills by category, then name; markdown is the prompt'),
  covered('theses.public.empty', '4.2', 'the list of published theses'),
  covered(
    'guide.find.intents',
    '4.2',
    'intents by relevance, steps of one; an unknown intent is 404 with the known ones',
  ),
  covered(
    'guide.find.limited',
    '8',
    'guide limits only anonymous callers with a text; 429 with Retry-After 60',
  ),
]
