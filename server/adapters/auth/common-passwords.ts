/**
 * Is this one of the passwords that are tried first? Compared without case, and once more without digits and signs at
 * the end, so that "Password123!" is as common as "password".
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  const stem = lower.replace(/[\d\W_]+$/u, '');
  return COMMON.has(lower) || (stem.length >= 4 && COMMON.has(stem)) || isPattern(lower);
}

/** "aaaaaaaa", "abcabcabc", "12345678", "87654321", and keyboard rows. */
function isPattern(text: string): boolean {
  if (/^(.{1,3})\1+.?$/su.test(text)) return true;
  return RUNS.some((run) => run.includes(text) || run.includes([...text].reverse().join('')));
}

const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgbyhnujmikolp',
];

/** The head of the lists that are public, and what people in this trade would think of. */
const COMMON: ReadonlySet<string> = new Set(
  `password passw0rd p@ssword p@ssw0rd pa$$word pa55word pa55w0rd passwort motdepasse contraseña senha parola
  passphrase password1 password12 password123 mypassword yourpassword newpassword oldpassword thepassword
  letmein letmein1 let me in iloveyou iloveu loveyou ilovegod iloveme lovely loveme forever friends
  welcome welcome1 welcome123 welkom bienvenue willkommen changeme changeit change me changethis change_me
  default secret secret1 secret123 topsecret mysecret administrator admin admin1 admin123 adminadmin root toor rootroot
  sysadmin superuser superman user username user123 guest guest123 test tester testing test123 test1234 testtest
  demo demo1234 sample example temp temporary temp1234 temppass login logmein signin master masterkey access access14
  qwerty qwerty1 qwerty12 qwerty123 qwertyui qwertyuiop qwer1234 asdfgh asdfghjk asdfghjkl asdf1234 zxcvbn zxcvbnm
  1qaz2wsx 1q2w3e4r 1q2w3e4r5t 1q2w3e 123qwe 123qweasd qweasd qweasdzxc qazwsx qazwsxedc zaq12wsx zaq1zaq1 q1w2e3r4
  a1b2c3 a1b2c3d4 abc123 abcd1234 abc12345 abcdef abcd123 aa123456 123abc 1234abcd 12341234 11223344 112233 121212
  123123 123321 123456 1234567 12345678 123456789 1234567890 0123456789 987654321 9876543210 87654321 654321 666666
  696969 777777 888888 111111 000000 222222 333333 555555 999999 101010 131313 147258369 159753 159357 147852
  147852369 789456123 741852963 963852741 123654 123654789 102030 112358 314159 13579 24680 2468101 8675309
  dragon monkey monkeys shadow sunshine princess football baseball basketball softball soccer hockey golfer tennis
  rugby cricket arsenal chelsea liverpool manchester everton tottenham westham rangers celtic newcastle sunderland
  barcelona realmadrid juventus bayern dortmund steelers cowboys yankees lakers eagles packers patriots redskins
  batman spiderman ironman wolverine starwars startrek pokemon pikachu naruto minecraft fortnite nintendo playstation
  xbox360 warcraft runescape counterstrike halo callofduty matrix terminator gandalf frodo hobbit merlin excalibur
  harrypotter hogwarts gryffindor jordan jordan23 michael jessica ashley jennifer daniel thomas andrew joshua matthew
  anthony charlie charles robert richard george william david james john joseph steven brian kevin jason justin
  nicholas nicole amanda melissa michelle samantha stephanie elizabeth rebecca rachel hannah natalie victoria
  alexander alexandra christopher christian benjamin jonathan patrick samuel zachary dominic brandon austin
  maggie buster ginger pepper bailey buddy rocky tigger bandit shelby molly daisy lucky max123 snoopy garfield
  mickey minnie donald bugsbunny scooby winnie tinkerbell cinderella barbie hellokitty butterfly angel angels
  flower flowers sunflower rainbow unicorn chocolate cookie cookies cheese banana orange apple peanut pumpkin coffee
  chicken hamster kitten kitty puppy doggie dolphin tiger tigers lion panther falcon phoenix eagle wolf bear horses
  diamond silver golden purple yellow green blue123 black white summer winter spring autumn january february march
  april june july august september october november december monday tuesday wednesday thursday friday saturday sunday
  summer1 winter1 spring1 autumn1 london england scotland britain ireland wales america canada australia germany
  france paris berlin madrid newyork chicago boston dallas houston texas california florida hawaii brazil india china
  computer computer1 internet google facebook twitter instagram youtube microsoft windows apple123 iphone android
  samsung samsung1 nokia motorola blackberry linux ubuntu oracle cisco office outlook network server database
  mustang corvette ferrari porsche mercedes toyota honda yamaha suzuki kawasaki harley ducati camaro chevrolet
  freedom hunter hunter2 hunting fishing warrior killer ninja samurai soldier marine army navy airforce police
  firefighter fireman fire fire123 trustno1 nothing whatever whatsup fuckyou fuckyou1 asshole biteme bitch1 sexy
  pussy nopassword nopass blank none null undefined qwert poiuyt lkjhgf mnbvcxz poiuytrewq mnbvcx
  jesus jesus1 jesuschrist christ blessed heaven faith grace church bible godisgood praise hallelujah
  metallica nirvana beatles slipknot greenday eminem rammstein blink182 guitar drums music musician dancer dance
  player gamer hello hello1 hello123 helloworld hellohello goodbye morning thankyou please money money1 dollar
  business company company1 corporate employee manager manager1 director supervisor operative viewer contractor
  facilities facility building buildings property inspection maintenance compliance safety health estate
  lintel lintel1 lintel123 lintel-demo lintelapp lintelpassword legionella firealarm landlord tenant caretaker`
    .split(/\s+/u)
    .filter((word) => word.length >= 4),
);
