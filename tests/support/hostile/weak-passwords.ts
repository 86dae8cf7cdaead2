import { messages } from '#shared/messages.ts';

/** The person whose own data the first of the weak passwords contain. */
export const WEAK_PERSON = {
  email: 'ines.moreau@kingsway-estates.example',
  firstName: 'Inès',
  lastName: 'Moreau',
};
export const WEAK_ORGANISATION = 'Kingsway Estates';

const { passwordOwnData, passwordCommon } = messages.session;

/** Weak passwords of eight characters or more, with the sentence that refuses each. */
export const WEAK_PASSWORDS: readonly (readonly [password: string, sentence: string])[] = [
  ['ines.moreau@kingsway-estates.example', passwordOwnData],
  ['Ines.Moreau', passwordOwnData],
  ['InèsMoreau1', passwordOwnData],
  ['moreau_ines', passwordOwnData],
  ['Moreau2026!', passwordOwnData],
  ['M0r3au!1987', passwordOwnData],
  ['kingswayestates', passwordOwnData],
  ['K1ngsw@y-99', passwordOwnData],
  ['xxMoreau01', passwordOwnData],
  ['inesinesines', passwordOwnData],
  ['elpmaxe.setatse-yawsgnik@uaerom.seni', passwordOwnData],
  ['uaerom-2026', passwordOwnData],
  ['passwordkingsway', passwordOwnData],
  ['m\u043ereau1987', passwordOwnData],
  ['Password123!', passwordCommon],
  ['P@ssw0rd!', passwordCommon],
  ['passwordpassword', passwordCommon],
  ['letmein2024', passwordCommon],
  ['Summer2026!', passwordCommon],
  ['Liverpool1', passwordCommon],
  ['trustno1', passwordCommon],
  ['QWERTYUIOP', passwordCommon],
  ['98765432', passwordCommon],
  ['lintel-demo', passwordCommon],
  ['p a s s w o r d', passwordCommon],
  ['letmein letmein', passwordCommon],
  ['Pass\u200bword1', passwordCommon],
  ['ｐａｓｓｗｏｒｄ１', passwordCommon],
  ['p\u0430ssw\u043erd1', passwordCommon],
  ['02/11/1984', passwordCommon],
  ['2026-11-23', passwordCommon],
  ['HealthAndSafety1!', passwordCommon],
  ['abc\ud800defgh', messages.common.unstorable],
];
