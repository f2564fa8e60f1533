"""Words that mean the same on pages: concepts with their names in several languages, accents removed."""

from typing import Final

CONCEPTS: Final[dict[str, str]] = {
    "name": "name nombre nom nome naam nazwa namn navn nimi bezeichnung denominacion denominazione designation libelle "
    "libellé fullname 名前 名称 商品名 氏名 이름 имя название nazev",
    "title": "title titel titre titulo titolo headline heading tytul otsikko rubrik uberschrift ueberschrift intitule "
    "subject betreff sujet asunto oggetto assunto tema onderwerp thread thema topic タイトル 件名 题目 标题 заголовок",
    "thing": "product item artikel article articolo articulo artigo produkt produit producto prodotto produto goods ware "
    "producten produkty vare position bezeichnung leistung concepto concept prestation 商品 品名 品目 製品 товар",
    "price": "price cost preis prix precio prezzo preco prijs cena pris hinta fiyat kosten cout coste costo custo tarif "
    "tarifa tariffa fare rate kaufpreis stückpreis 価格 値段 料金 单价 价格 가격 цена стоимость 単価",
    "amount": "amount betrag montant importe importo valor bedrag kwota belopp belob summe sum somme suma somma soma 金額 "
    "сумма",
    "total": "total gesamt totale gesamtbetrag gesamtsumme endbetrag totaal razem totalt overall 合計 総額 итого 总计",
    "subtotal": "subtotal zwischensumme nettobetrag netto soustotal subtotale imponibile ht net 小計",
    "tax": "tax vat mwst ust tva iva btw moms podatek steuer umsatzsteuer mehrwertsteuer taxe impuesto imposta gst 消費税 税",
    "old": "old original was before previous regular list rrp msrp uvp statt ancien anterior antes precedente vorher "
    "streichpreis barre tachado oude gammal strike striked struck crossed compare del 旧 定価",
    "discount": "discount rabatt remise descuento sconto desconto korting znizka off sale saving savings promotion rebate "
    "ersparnis reduction 割引",
    "salary": "salary gehalt salaire salario stipendio wage pay salarissen salaris wynagrodzenie lon compensation "
    "remuneration retribucion verdienst vergutung brutto 給与 年収 зарплата",
    "currency": "currency wahrung waehrung devise moneda valuta moeda waluta 通貨",
    "date": "date datum fecha data dato pvm tag day jour dia giorno dag dzien 日付 日 дата 日期 날짜",
    "time": "time uhrzeit zeit heure hora ora tijd czas tid klokke 時刻 時間 время",
    "published": "published publish posted post created veroffentlicht publie publicado pubblicato geplaatst opublikowano "
    "publicerad erschienen released release since eingestellt online publication veroffentlichung mis pubdate pubblicata "
    "publiee publicada written added listed 投稿日 公開日 掲載日 опубликовано",
    "updated": "updated update modified aktualisiert geandert actualizado aggiornato atualizado bijgewerkt modifie lastmod "
    "edited changed zaktualizowano 更新日 更新 обновлено",
    "due": "due deadline fallig faellig falligkeit faelligkeit zahlbar echeance vencimiento scadenza expires expiry closes "
    "closing frist bewerbungsschluss until limite termin zahlungsziel valid vervaldatum 期限 支払期限 締切",
    "start": "start kick kickoff anpfiff anstoss begin beginn begins debut inicio inizio from von check-in checkin opening einlass 開始 начало",
    "end": "end ende fin fine finish until bis to checkout einde 終了 конец",
    "departure": "departure depart departs abfahrt ab abflug depart salida partenza partida vertrek odjazd avgang depart. "
    "leaves leaving dep 発 出発 отправление",
    "arrival": "arrival arrive arrives ankunft an ankommt arrivee llegada arrivo chegada aankomst przyjazd ankomst arr 着 到着 "
    "прибытие",
    "destination": "destination to ziel nach naar destino destinazione richtung direction bestemming vers hacia kierunek towards "
    "bound 行き先 行先 направление",
    "origin": "origin from source herkunft von ursprung origine origen provenance provenienza startort 出発地",
    "platform": "platform gleis bahnsteig track voie quai via anden binario spoor peron spar perron plataforma 番線 のりば",
    "gate": "gate tor porte puerta flugsteig",
    "line": "line linie ligne linea linha lijn linia zug train service route zugnummer treno tren trein pociag bus flight "
    "flug vol vuelo volo number no 路線 列車 便名",
    "delay": "delay verspatung retard retraso ritardo atraso vertraging opoznienie forsening late 遅延",
    "duration": "duration dauer duree duracion durata duracao duur czas length laufzeit fahrzeit runtime spieldauer reisezeit "
    "所要時間 期間",
    "rating": "rating rate rated bewertung note avis calificacion valutazione avaliacao beoordeling ocena betyg score stars "
    "star sterne etoile estrellas stelle punkte puntuacion voto grade 評価 рейтинг",
    "review": "review reviews bewertungen rezension rezensionen avis resena resenas recensione recensioni opinion opiniones "
    "opinioni avaliacoes recensies opinie omdomen kundenmeinungen feedback ratings kommentar レビュー 口コミ отзывы",
    "comment": "comment comments kommentar kommentare commentaire commentaires comentario comentarios commento commenti "
    "reacties komentarze コメント",
    "reply": "reply replies response responses antwort antworten reponse reponses respuesta respuestas risposta risposte "
    "resposta respostas antwoorden odpowiedzi svar beitrage answers answer 返信 回答 ответы",
    "view": "view views viewed aufrufe ansichten vues vistas visualizzazioni visualizacoes weergaven wyswietlen visningar "
    "hits klicks gelesen zugriffe visits 閲覧 閲覧数 просмотры",
    "like": "like likes gefallt upvotes votes upvote favorites favs hearts jaime aime megusta mipiace curtidas points punkte "
    "stimmen votos voti いいね",
    "count": "count number num anzahl nombre numero quantity qty menge quantite cantidad quantita quantidade aantal ilosc "
    "antal stuck stk stueck qte cant pcs units einheiten hoeveelheid liczba amount 数 数量 個数 количество",
    "stock": "stock availability available bestand verfugbar verfuegbar verfugbarkeit lagernd lager lieferbar disponible "
    "disponibilite disponibilidad disponibilita disponibile disponivel voorraad beschikbaar dostepnosc instock inventory "
    "dispo giacenza magazzino existencias auf 在庫 наличие",
    "shipping": "shipping delivery versand lieferung livraison envio spedizione consegna entrega levering verzending frais "
    "dostawa frakt 送料 配送",
    "link": "link url href website webseite homepage site web lien enlace collegamento sito sitio permalink uri "
    "strona hjemmeside リンク ссылка",
    "image": "image img picture photo bild foto imagen immagine imagem afbeelding thumbnail thumb avatar icon cover poster "
    "logo src 画像 写真 изображение",
    "description": "description desc beschreibung descripcion descrizione descricao beschrijving opis beskrivning details "
    "about uber info kurzbeschreibung produktbeschreibung 説明 概要 описание",
    "summary": "summary abstract excerpt snippet teaser zusammenfassung resume resumen riassunto resumo samenvatting lead "
    "standfirst intro introduction preview chapo vorspann dek deck subtitle untertitel kurztext 要約 摘要",
    "text": "text body content inhalt contenu contenido contenuto conteudo inhoud message nachricht beitrag mensaje messaggio "
    "articlebody tresc 本文 内容 текст",
    "author": "author asked autor auteur autore byline verfasser writer by von par por di door redacteur escrito ecrit geschrieben "
    "poster postedby creator user username benutzer utilisateur usuario utente member mitglied ersteller reviewer "
    "starter redaktion forfatter autorem op 著者 投稿者 作者 記者 автор",
    "person": "person people customer client kunde kundin klient cliente employee mitarbeiter contact kontakt contacto "
    "contatto player spieler guest gast student team user staff member ansprechpartner 担当者 顧客",
    "email": "email mail courriel correo posta epost メール mailadresse emailadresse электронная почта",
    "phone": "phone telephone tel telefon telefono telefone telefoon mobile mobil handy movil cellulare portable fon "
    "rufnummer fax telephon puhelin 電話 電話番号 телефон",
    "address": "address adresse anschrift direccion indirizzo endereco adres adress street strasse rue calle via 住所 адрес",
    "city": "city stadt ort ville ciudad citta cidade stad plaats miasto by town wohnort 都市 市 город",
    "country": "country land pays pais paese kraj 国 страна nation staat",
    "location": "location ort standort lieu ubicacion luogo localizacao locatie lokalizacja plats place region localidad "
    "arbeitsort einsatzort localisation sede venue office based lokalitet localita 場所 勤務地 所在地 место",
    "company": "company firma unternehmen entreprise empresa azienda bedrijf societe sociedad arbeitgeber employer employeur "
    "empleador organization organisation foretag recruiter hiring 会社 企業 会社名 компания",
    "brand": "brand marke marque marca merk marka manufacturer hersteller fabricant fabricante produttore vendor make "
    "varumarke producer maker メーカー ブランド бренд",
    "seller": "seller verkaufer vendeur vendedor venditore verkoper shop store handler merchant anbieter sold vendor "
    "lieferant supplier fournisseur proveedor fornitore rechnungssteller issuer 販売者",
    "buyer": "buyer customer kaufer client cliente klant kunde recipient empfanger billto bill billed rechnungsempfanger "
    "destinataire destinatario facture 請求先",
    "category": "category kategorie categorie categoria kategoria kategori section rubrik rubrique ressort genre sektion "
    "department abteilung bereich area board forum sparte kategorija カテゴリ カテゴリー ジャンル 部門 категория",
    "department": "department abteilung departement departamento reparto dipartimento afdeling dzial team unit bereich "
    "service 部署",
    "tag": "tag tags kw kws schlagwort schlagworte schlagworter stichwort keyword keywords mots etiqueta etiquetas etichette label "
    "labels badge chips topic topics themen タグ",
    "skill": "skill skills fahigkeit kenntnisse faehigkeiten competence competences habilidades competencias competenze "
    "kompetenzen technologies tech stack technologien qualifikation umiejetnosci スキル",
    "type": "type typ art tipo soort rodzaj kind kategorie form beschaftigungsart contract vertrag vertragsart contrat "
    "contrato contratto employment anstellungsart anstellung zeitmodell dienstverband 雇用形態 種類 тип",
    "status": "status state zustand etat estado stato stan statut situation condition phase 状態 状況 ステータス статус",
    "id": "id identifier nr nummer number numero no num ref reference referenz code kennung key nummer numer sku artnr "
    "artikelnummer bestellnummer référence referencia codice codigo order ordernumber nº n° № 番号 номер",
    "power": "power leistung puissance potencia potenza vermogen watt",
    "fee": "fee fees beitrag cotisation cuota quota gebuhr gebuehr dues charge mitgliedsbeitrag",
    "pressure": "pressure luftdruck pression presion pressione 気圧",
    "precipitation": "precipitation precip rain regen pluie lluvia pioggia chuva 降水 降水確率 niederschlag regenwahrscheinlichkeit",
    "hours": "hours hour uren stunden std heures horas ore wochenstunden arbeitszeit",
    "teacher": "teacher profesor professor lehrer enseignant docente leraar instructor tutor dozent formador trainer coach "
    "profesora docent lecturer insegnante formateur professeur lehrkraft 講師 先生",
    "passenger": "passenger passengers traveller travellers traveler travelers reisende passagiere viajeros voyageurs "
    "viaggiatori pasajeros passeggeri adults erwachsene",
    "owner": "owner inhaber inhaberin titulaire titular intestatario proprietaire propietario besitzer holder kontoinhaber "
    "proprietario eigenaar",
    "balance": "balance kontostand saldo solde guthaben stan",
    "media": "audio video mp3 podcast recording enclosure trailer clip stream file pdf attachment document",
    "level": "level niveau stufe nivel livello poziom schwierigkeit difficulty dificultad difficulte difficolta schwierigkeitsgrad",
    "award": "award awards preis prize auszeichnung prix premio",
    "course": "course kurs cours curso corso cursus class lesson seminar workshop training",
    "dish": "dish plat gericht plato piatto prato gerecht meal speise",
    "hotel": "hotel unterkunft pousada hebergement alojamiento accommodation stay",
    "neighborhood": "neighborhood neighbourhood bairro viertel quartier barrio quartiere district stadtteil wijk zona",
    "battery": "battery akku batterie bateria batteria accu",
    "sku": "sku artnr artikelnummer artikelnr artno mpn bestellnummer ean gtin modelnumber 品番 型番",
    "isbn": "isbn",
    "order": "order bestellung commande pedido ordine bestelling zamowienie auftrag ordre 注文",
    "invoice": "invoice rechnung facture factura fattura fatura factuur faktura bill rechnungsnummer 請求書 счет",
    "customer": "customer kunde client cliente klant klient 顧客",
    "job": "job stelle poste puesto stellenbezeichnung stellenangebot vacancy vacature emploi empleo lavoro jobtitle role "
    "position beruf profession posizione vaga stanowisko tjanst occupation 職種 求人 职位 должность",
    "rank": "rank rang position platz place pos ranking puesto posizione classifica posicao stand plats # 順位 место",
    "score": "score points punkte pkt pts puntos punti points pontos wynik resultat result ergebnis スコア 得点",
    "win": "win wins won siege gewonnen victoires victorias vittorie w s",
    "team": "team mannschaft equipe equipo squadra club verein ploeg druzyna lag チーム",
    "population": "population einwohner bevolkerung poblacion popolazione populacao bevolking ludnosc inhabitants habitants "
    "habitantes abitanti inwoners 人口 население",
    "capital": "capital hauptstadt capitale hoofdstad stolica huvudstad 首都 столица",
    "area": "area flache flaeche superficie oppervlakte powierzchnia size wohnflache yta surface groesse grosse m2 sqm sqft "
    "quadratmeter 面積 площадь",
    "weight": "weight gewicht poids peso waga vikt gewichts masse 重量 вес",
    "size": "size grosse groesse taille tamano dimensione tamanho maat rozmiar dimensions abmessungen masse dimension storlek "
    "サイズ 寸法 размер",
    "height": "height hohe hoehe hauteur altura altezza hoogte elevation altitude 高さ",
    "color": "color colour farbe couleur kolor kleur cor colore farg 色 цвет",
    "material": "material materiau matiere materiale materiaal stoff 素材",
    "year": "year jahr annee ano anno jaar rok ar baujahr jahrgang 年 год erscheinungsjahr",
    "month": "month monat mois mes mese maand miesiac manad 月",
    "age": "age alter edad eta idade leeftijd wiek alder 年齢",
    "language": "language sprache langue idioma lingua taal jezyk sprak 言語 язык",
    "rooms": "room rooms zimmer pieces piece habitaciones stanze locali quartos kamers pokoje rum",
    "bedrooms": "bed beds bedroom bedrooms schlafzimmer chambres chambre dormitorios camere slaapkamers",
    "bathrooms": "bath baths bathroom bathrooms badezimmer bader banos bagni",
    "guarantee": "warranty guarantee garantie garantia garanzia gwarancja 保証",
    "percent": "percent percentage prozent pourcentage porcentaje percentuale share anteil quote pct rate 割合",
    "change": "change delta veranderung variation cambio variazione wijziging zmiana trend growth wachstum differenz diff chg "
    "vorwoche evolution 変化 変動",
    "revenue": "revenue umsatz chiffre ingresos ricavi turnover sales receita omzet przychod verkaufe ventes ventas vendite "
    "erlos 売上",
    "visitor": "visitor visitors besucher visiteurs visitantes visitatori bezoekers users nutzer utilisateurs usuarios "
    "sessions 訪問者",
    "experience": "experience erfahrung experiencia esperienza ervaring doswiadczenie berufserfahrung 経験",
    "education": "education ausbildung bildung formation educacion istruzione opleiding studium degree school university 学歴",
    "remote": "remote homeoffice teletravail teletrabajo telelavoro thuiswerken homeworking hybrid リモート",
    "active": "active aktiv actif activo attivo ativo actief enabled aktywny",
    "verified": "verified verifiziert verifie verificado verificato geverifieerd confirmed",
    "pinned": "pinned sticky angepinnt epingle fijado",
    "solved": "solved resolved gelost resolu resuelto risolto accepted opgelost",
    "free": "free kostenlos gratis gratuit gratuito kostenfrei",
    "new": "new neu nouveau nuevo nuovo novo nieuw nowy ny",
    "featured": "featured highlighted recommended empfohlen top vedette destacado",
    "open": "open opening offnungszeiten geoffnet ouvert horaires abierto horario aperto orari hours openinghours 営業時間",
    "paid": "paid bezahlt paye pagado pagato betaald zaplacono",
    "unit": "unit einheit unite unidad unita stuckpreis einzelpreis unitaire unitario einzel each eenheid stuks je 単位",
    "birth": "birth birthday born geburtsdatum geboren geburtstag naissance nacimiento nascita geboortedatum 生年月日",
    "nationality": "nationality nationalitat nationalite nacionalidad nazionalita",
    "ingredient": "ingredient ingredients zutaten ingredientes ingredienti zutat skladniki 材料",
    "step": "step steps procedimento bereiding schritt schritte zubereitung anleitung instructions instruction etapes etape pasos preparation "
    "preparacion preparazione passaggi directions method 手順 作り方",
    "serving": "serving servings portionen portion portions raciones porzioni yield personen personnes",
    "calories": "calories kalorien kcal calorias calorie",
    "feature": "feature features merkmal merkmale eigenschaften caracteristiques caracteristicas caratteristiche highlights "
    "spec specs specifications technische daten 特徴 仕様",
    "follower": "follower followers abonnes seguidores fans volgers abonnenten subscribers フォロワー",
    "following": "following folgt abonnements siguiendo seguiti フォロー中",
    "source": "source quelle fonte fuente bron publisher verlag editeur editorial editore zeitung outlet domain 出典 出版社",
    "publisher": "publisher verlag editeur editorial editore uitgever editora wydawnictwo 出版社",
    "join": "joined join member registered registriert beigetreten inscrit miembro membro seit depuis desde dal lid",
    "last": "last letzte letzter latest dernier derniere ultimo ultima recent laatste neueste final 最終 最後",
    "first": "first erste erster premier primer primo vorname given prenom",
    "surname": "surname nachname lastname apellido cognome achternaam familyname family",
    "priority": "priority prioritat priorite prioridad priorita prioriteit 優先度",
    "progress": "progress fortschritt avancement progreso progresso voortgang completion 進捗",
    "assignee": "assignee zustandig zugewiesen assigned responsible verantwortlich owner besitzer responsable bearbeiter 担当",
    "cpu": "cpu processor prozessor auslastung load last",
    "memory": "memory ram speicher arbeitsspeicher memoire memoria",
    "storage": "storage disk speicherplatz festplatte stockage almacenamiento archiviazione",
    "symbol": "symbol ticker kurzel code wkn isin",
    "volume": "volume volumen volumi",
    "low": "low tief min minimum bas minimo tiefst lowest min.",
    "high": "high hoch max maximum haut massimo maximo hochst highest max.",
    "close": "close schluss cloture cierre chiusura schlusskurs",
    "temperature": "temperature temperatur temp temperatura temperatuur 気温 температура",
    "humidity": "humidity luftfeuchtigkeit humidite humedad umidita feuchte 湿度",
    "wind": "wind vent viento vento 風",
    "weather": "weather wetter meteo tiempo forecast vorhersage conditions 天気",
    "question": "question frage pregunta domanda vraag pytanie 質問 fragen",
    "answer": "answer antwort reponse respuesta risposta antwoord",
    "term": "term begriff terme termino termine begriffe",
    "definition": "definition bedeutung definicion definizione meaning erklarung erlauterung",
    "version": "version versione versie wersja バージョン",
    "license": "license lizenz licence licencia licenza ライセンス",
    "download": "download downloads telechargements descargas herunterladen",
    "iban": "iban",
    "bic": "bic swift",
    "director": "director regisseur regie realisateur regista regie regisseurin 監督",
    "seats": "seat seats sitzplatz platze places asientos posti",
    "class": "class klasse classe clase",
    "quality": "quality qualitat qualite calidad qualita",
}

RELATED: Final[dict[tuple[str, str], float]] = {
    ("name", "title"): 0.75,
    ("name", "thing"): 0.75,
    ("title", "thing"): 0.7,
    ("name", "person"): 0.7,
    ("name", "job"): 0.5,
    ("title", "job"): 0.8,
    ("name", "company"): 0.45,
    ("name", "team"): 0.6,
    ("name", "country"): 0.45,
    ("name", "author"): 0.4,
    ("description", "thing"): 0.7,
    ("description", "job"): 0.3,
    ("description", "summary"): 0.8,
    ("description", "text"): 0.7,
    ("summary", "text"): 0.6,
    ("price", "amount"): 0.8,
    ("total", "amount"): 0.75,
    ("price", "total"): 0.4,
    ("fee", "price"): 0.6,
    ("hours", "duration"): 0.6,
    ("course", "title"): 0.6,
    ("course", "name"): 0.6,
    ("hotel", "name"): 0.6,
    ("dish", "name"): 0.7,
    ("dish", "term"): 0.6,
    ("dish", "title"): 0.6,
    ("hotel", "title"): 0.5,
    ("location", "neighborhood"): 0.7,
    ("teacher", "person"): 0.6,
    ("teacher", "author"): 0.4,
    ("owner", "person"): 0.5,
    ("owner", "name"): 0.4,
    ("subtotal", "amount"): 0.4,
    ("price", "salary"): 0.5,
    ("price", "unit"): 0.4,
    ("date", "published"): 0.8,
    ("date", "updated"): 0.6,
    ("date", "due"): 0.5,
    ("date", "time"): 0.6,
    ("date", "year"): 0.4,
    ("time", "departure"): 0.6,
    ("time", "arrival"): 0.5,
    ("time", "start"): 0.6,
    ("start", "departure"): 0.6,
    ("end", "arrival"): 0.6,
    ("time", "duration"): 0.4,
    ("published", "updated"): 0.4,
    ("published", "time"): 0.5,
    ("count", "stock"): 0.4,
    ("rating", "score"): 0.8,
    ("rating", "review"): 0.5,
    ("review", "comment"): 0.6,
    ("review", "count"): 0.3,
    ("comment", "reply"): 0.7,
    ("reply", "answer"): 0.8,
    ("like", "score"): 0.7,
    ("score", "count"): 0.3,
    ("location", "city"): 0.8,
    ("location", "address"): 0.7,
    ("location", "country"): 0.5,
    ("city", "address"): 0.4,
    ("company", "brand"): 0.5,
    ("company", "seller"): 0.6,
    ("brand", "seller"): 0.5,
    ("author", "person"): 0.7,
    ("author", "source"): 0.4,
    ("source", "publisher"): 0.8,
    ("category", "type"): 0.6,
    ("category", "tag"): 0.6,
    ("category", "department"): 0.8,
    ("tag", "skill"): 0.5,
    ("id", "sku"): 0.85,
    ("id", "invoice"): 0.45,
    ("id", "order"): 0.45,
    ("id", "rank"): 0.4,
    ("id", "line"): 0.5,
    ("count", "id"): 0.3,
    ("buyer", "customer"): 0.95,
    ("buyer", "person"): 0.6,
    ("customer", "person"): 0.8,
    ("customer", "company"): 0.5,
    ("active", "status"): 0.6,
    ("stock", "status"): 0.5,
    ("paid", "status"): 0.5,
    ("old", "regular"): 0.8,
    ("change", "percent"): 0.6,
    ("discount", "percent"): 0.5,
    ("destination", "arrival"): 0.5,
    ("origin", "departure"): 0.5,
    ("origin", "country"): 0.4,
    ("size", "area"): 0.5,
    ("rooms", "bedrooms"): 0.6,
    ("job", "thing"): 0.4,
    ("step", "description"): 0.3,
    ("assignee", "person"): 0.7,
    ("revenue", "total"): 0.4,
    ("revenue", "amount"): 0.5,
    ("symbol", "id"): 0.6,
    ("status", "type"): 0.3,
    ("status", "delay"): 0.4,
    ("visitor", "view"): 0.5,
    ("image", "link"): 0.2,
    ("join", "date"): 0.6,
    ("birth", "date"): 0.6,
    ("last", "updated"): 0.6,
    ("feature", "description"): 0.4,
    ("feature", "tag"): 0.4,
    ("team", "company"): 0.3,
    ("term", "name"): 0.6,
    ("term", "title"): 0.6,
    ("definition", "description"): 0.8,
    ("question", "title"): 0.7,
    ("answer", "text"): 0.7,
    ("score", "win"): 0.3,
    ("percent", "progress"): 0.7,
}

STOP: Final = frozenset(
    "the a an of in for to and or is are was it its this that with as at on by from per each all any has have be "
    "der die das des dem den ein eine einer eines und oder fur mit im am zum zur pro je ist sind "
    "le la les l d de du un une et ou pour avec en dans au aux el los las y o para con del al lo il gli i e per della di "
    "het een van voor met op w z na do i med och att for av".split()
)

GENERIC: Final = frozenset(
    "value text label content info wrapper container box card cell col column row item list inner outer block data field "
    "main body section left right top bottom small large sm md lg xl bold primary secondary meta detail details js css tag "
    "component widget element entry product job article post event offer listing result results page view module group "
    "header footer title-wrapper number string shown displayed visible whole full given one first stated printed it such "
    "list all every if whether which what when where who".split()
)
