/**
 * The most used passwords, lower case: the first of the public lists of leaked passwords, and their variants that pass a
 * rule of four kinds of characters. Short on purpose: locking accounts after failures covers the rest.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
    !qaz2wsx 000000 111111 112233 121212 123123 12345 123456 1234567 12345678 123456789 1234567890 1q2w3e4r 1qaz!qaz
    1qaz2wsx 1qaz2wsx! 1qaz@wsx 654321 666666 7777777 987654321 aa123456 aa123456! aa@123456 abc123 abc123! abc1234!
    abc@123 abc@1234 abcd1234! abcd@1234 access admin admin1! admin123! admin@123 admin@1234 administrator asdf1234
    asdf1234! asdfgh asdfghjkl1! ashley autumn2025! autumn2026! bailey baseball baseball1! batman batman1!
    change@123 changeme changeme1! charlie cisco123! company1! company123! default demo123! demo@123 dragon dragon1!
    facebook1! flower football football1! freedom google1! guest guest123! guest@123 harley hello hello123!
    hello@123 hunter2 iloveyou iloveyou1! india@123 january1! jordan letmein letmein1! linkedin1! login login@123
    manager1! manager@123 master master1! master123! michael microsoft1! monday1! monkey monkey1! mustang nicole
    office1! office123! oracle1! p@$$w0rd p@ssw0rd p@ssw0rd1 p@ssw0rd123 p@ssword1 pa$$w0rd pa$$word1 pass pass123!
    pass1234! pass@123 pass@1234 passw0rd passw0rd! password password1 password1! password123! password@1
    password@123 pdf2press pdf2press1! prepress prepress1! princess princess1! print print123! printer1! printing
    q1w2e3r4 q1w2e3r4! q1w2e3r4t5! qwerty qwerty1! qwerty12# qwerty123 qwerty123! qwerty@123 qwertyuiop qwertyuiop1!
    root root@123 secret secret1! secret123! server1! shadow shadow1! spring2025! spring2026! starwars summer2024!
    summer2025! summer2026! sunshine sunshine1! super123! superman superman1! temp temp123 temp123! temp@123 test
    test123! test1234! test@123 test@1234 toor trustno1 trustno1! user123! user@123 welcome welcome1! welcome123!
    welcome123# welcome@1 welcome@123 whatever windows1! winter2024! winter2025! winter2026! zaq12wsx zaq12wsx!
    zxcvbnm1!
  `
    .trim()
    .split(/\s+/),
);
