import { deadlineQuestions, plainQuestions } from './questions.ts'
import type { QuestionGroup } from './questions.ts'
import type { Template } from './template.ts'

const PRESS = { name: 'Reuters', url: 'https://www.reuters.com' }
const sharedFields = {
  category: 'World',
  source: PRESS,
  noteA:
    'Statements by a party without confirmation are not sufficient. If the source agencies disagree, the Outcome Review Committee decides by the weight of reporting.',
  noteB:
    'The primary resolution source will be official information from the governments concerned; however, a consensus of credible reporting will also be used.',
} as const

const iran: QuestionGroup = {
  ...sharedFields,
  name: 'iran',
  theme: 'middle-east',
  factorSign: 1,
  topics: ['iran'],
  tags: ['Geopolitics', 'Iran', 'Middle East'],
  cadence: { every: 'month', day: 31, hour: 4, life: 75 },
  listing: 'both',
  interest: 1.8,
  divergentNoteB:
    'The primary resolution source will be official information from the governments concerned. Acts of proxy forces and measures that are partial or end within a week do not qualify.',
  subjects: [
    { code: 'USIRANSTRIKE', name: 'the US strike Iran' },
    { code: 'HORMUZ', name: 'Iran close the Strait of Hormuz' },
    { code: 'IRANDEAL', name: 'the US and Iran sign a nuclear deal' },
    { code: 'KHAMENEIOUT', name: 'Khamenei leave office as Supreme Leader of Iran' },
    { code: 'IRANENRICH', name: 'Iran agree to end uranium enrichment' },
    { code: 'ISRIRAN', name: 'Israel and Iran exchange direct military strikes' },
    { code: 'TEHRANEMB', name: 'a Western embassy reopen in Tehran' },
    { code: 'IRGCLIST', name: 'the EU remove the IRGC from its terrorist list' },
    { code: 'IRANIAEA', name: 'IAEA inspectors visit the Fordow site in Iran' },
  ],
}
const ukraine: QuestionGroup = {
  ...sharedFields,
  name: 'ukraine',
  theme: 'ukraine-war',
  factorSign: 1,
  topics: ['ukraine'],
  tags: ['Geopolitics', 'Ukraine', 'World'],
  cadence: { every: 'month', day: 28, hour: 4, life: 70 },
  listing: 'both',
  interest: 1.7,
  divergentNoteB:
    'A consensus of credible reporting will be used. Only a general pause counts; agreements limited to energy infrastructure or the Black Sea will not qualify, and a framework without a date does not either.',
  subjects: [
    { code: 'UKRCEASE', name: 'Russia and Ukraine agree to a ceasefire' },
    { code: 'PUTZEL', name: 'Putin and Zelensky meet in person' },
    { code: 'KYIVNATO', name: 'Ukraine receive an invitation to NATO' },
    { code: 'POKROVSK', name: 'Russia capture another oblast capital in Ukraine' },
    { code: 'CRIMEAREC', name: 'the US recognise Crimea as part of Russia' },
    { code: 'UKRELECT', name: 'Ukraine hold a presidential election' },
    { code: 'PUTINOUT', name: 'Putin leave office' },
    { code: 'DONBASOUT', name: 'Ukraine withdraw from the Donbas' },
  ],
}
const china: QuestionGroup = {
  ...sharedFields,
  name: 'china',
  theme: 'china',
  factorSign: 1,
  topics: ['china'],
  tags: ['Geopolitics', 'China', 'Taiwan'],
  cadence: { every: 'month', day: 15, hour: 5, life: 80 },
  listing: 'both',
  interest: 1.2,
  subjects: [
    { code: 'TAIWANBLOCK', name: 'China blockade Taiwan' },
    { code: 'TAIWANINV', name: 'China invade Taiwan' },
    { code: 'XIOUT', name: 'Xi Jinping leave office' },
    { code: 'CHINATARIFF', name: 'the US lower its tariff on China below 20%' },
    { code: 'XIVISIT', name: 'Xi Jinping visit Washington from Beijing' },
    { code: 'PLADRILL', name: 'the PLA hold a named exercise around Taiwan' },
    { code: 'CHINAEXPORT', name: 'China lift its rare earth export controls' },
  ],
}
const world: QuestionGroup = {
  ...sharedFields,
  name: 'world',
  theme: 'world',
  factorSign: 1,
  topics: [],
  tags: ['World', 'Politics'],
  cadence: { every: 'month', day: 20, hour: 5, life: 65 },
  listing: 'both',
  interest: 0.6,
  subjects: [
    { code: 'GAZAFORCE', name: 'an international force deploy in Gaza' },
    { code: 'MADURO', name: 'Venezuela hold a presidential election' },
    { code: 'DPRKTEST', name: 'North Korea test a nuclear weapon' },
    { code: 'STARMER', name: 'Keir Starmer announce his resignation' },
    { code: 'FRPM', name: 'France change its prime minister' },
    { code: 'INDPAK', name: 'India and Pakistan resume direct trade' },
    { code: 'JPYDIET', name: 'Japan call a snap election' },
  ],
}
const leaders: QuestionGroup = {
  ...world,
  name: 'leaders',
  interest: 0.8,
  cadence: { every: 'month', day: 30, hour: 5, life: 90 },
  subjects: [
    { code: 'MACRONOUT', name: 'Emmanuel Macron leave office' },
    { code: 'MERZOUT', name: 'Friedrich Merz leave office' },
    { code: 'NETANYAHUOUT', name: 'Benjamin Netanyahu leave office' },
    { code: 'LULAOUT', name: 'Lula da Silva leave office' },
    { code: 'ERDOGANOUT', name: 'Recep Erdogan leave office' },
    { code: 'SANCHEZOUT', name: 'Pedro Sánchez leave office' },
    { code: 'MODIOUT', name: 'Narendra Modi leave office' },
    { code: 'CARNEYOUT', name: 'Mark Carney leave office' },
    { code: 'MILEIOUT', name: 'Javier Milei leave office' },
    { code: 'ORBANOUT', name: 'Viktor Orbán leave office' },
    { code: 'MELONIOUT', name: 'Giorgia Meloni leave office' },
    { code: 'KIMOUT', name: 'Kim Jong Un leave office' },
  ],
}

export const GEOPOLITICS: readonly Template[] = [
  deadlineQuestions(iran, [0, 31, 61, 92, 153], 0.004),
  plainQuestions(
    {
      ...iran,
      name: 'iran-week',
      cadence: { every: 'days', step: 14, phase: 3, hour: 5, life: 20 },
      interest: 1.1,
      tags: ['Geopolitics', 'Iran'],
      subjects: [
        { code: 'IRANTALKS', name: 'US and Iran officials hold direct talks' },
        { code: 'IRANSANCTION', name: 'the US sanction another Iran oil buyer' },
        { code: 'HORMUZSHIP', name: 'a tanker be seized in the Strait of Hormuz' },
      ],
    },
    -0.5,
  ),
  deadlineQuestions(ukraine, [0, 31, 61, 92], 0.005),
  plainQuestions(
    {
      ...ukraine,
      name: 'ukraine-week',
      cadence: { every: 'days', step: 14, phase: 8, hour: 5, life: 21 },
      interest: 1,
      subjects: [
        { code: 'TRUMPPUTIN', name: 'Trump and Putin speak about Ukraine' },
        { code: 'KYIVSTRIKE', name: 'Russia strike Kyiv with more than 100 drones in a day' },
        { code: 'RUSASSETS', name: 'the EU use frozen assets of Russia for Ukraine' },
      ],
    },
    -0.2,
  ),
  deadlineQuestions(china, [0, 46, 107, 228], 0.0025),
  deadlineQuestions(world, [0, 31, 61, 122], 0.006),
  deadlineQuestions(leaders, [0, 31, 92, 184], 0.0025),
]
